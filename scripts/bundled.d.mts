export interface BundledPackage {
  name: string;
  version: string;
  /** As its package.json says it, an SPDX expression. */
  license: string;
  /** Of its licence file. */
  text: string;
}
export function bundledPackages(root: string): BundledPackage[];

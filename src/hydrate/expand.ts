/** `$VAR` and `${VAR}` in parameters and paths, as Argo CD's Env.Envsubst does it: Go's os.Expand over its build environment. */
import type { Env } from './source.ts';

/** The build environment Argo CD documents; any other name expands to nothing, as there. */
const BUILD_ENVIRONMENT = [
  'ARGOCD_APP_NAME',
  'ARGOCD_APP_NAMESPACE',
  'ARGOCD_APP_PROJECT_NAME',
  'ARGOCD_APP_REVISION',
  'ARGOCD_APP_REVISION_SHORT',
  'ARGOCD_APP_REVISION_SHORT_8',
  'ARGOCD_APP_SOURCE_REPO_URL',
  'ARGOCD_APP_SOURCE_PATH',
  'ARGOCD_APP_SOURCE_TARGET_REVISION',
];

/** `${…}`, a brace that never closes, a special character, or a name; a `$` before anything else is a dollar. */
const REFERENCE = /\$(\{[^}]*\}|[{*#$@!?\-0-9]|\w+)/g;

/** `$$` is a dollar, `${}` and `${` are eaten, a `$` before anything else stays. */
export function expand(text: string, env: Env): string {
  return text.replace(REFERENCE, (_match, reference: string) => {
    const name = reference.replace(/^\{|\}$/g, '');
    if (name === '$') return '$';
    return BUILD_ENVIRONMENT.includes(name) ? (env[name] ?? '') : '';
  });
}

/** Whether a path starts with a variable that only a second source could fill: `$values/…` of multi-source apps. */
export function namesOtherSource(path: string): boolean {
  const name = /^\$\{?(\w*)\}?(?:\/|$)/.exec(path)?.[1];
  return name !== undefined && name !== '' && !BUILD_ENVIRONMENT.includes(name);
}

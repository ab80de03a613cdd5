/**
 * Finds the values a JupyterHub chart hands to its hub: a Secret or ConfigMap with `values.yaml`, or one key per value in charts
 * before 0.8. Recognised by content (`singleuser`), never by name.
 */
import type { Warning } from '../api/warning.ts';
import type { KubeObject } from './manifest.ts';
import type { Mapping } from './mapping.ts';

export interface HubConfiguration {
  /** The Secret or ConfigMap. */
  object: KubeObject;
  /** The chart's values as the hub reads them; empty when they cannot be read (then a warning says so). */
  values: Mapping;
  warnings: Warning[];
}

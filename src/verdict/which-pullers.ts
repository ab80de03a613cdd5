/** Which DaemonSets of a list are explained: those named, else those with our label, else the chart's own, else all. */
import type { DaemonSet } from './snapshot.ts';

/** `names` are NAME or NAMESPACE/NAME. By namespace and name. */
export function choosePullers(daemonSets: readonly DaemonSet[], names: readonly string[]): DaemonSet[] {
  return [...choose(daemonSets, names)].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

function choose(daemonSets: readonly DaemonSet[], names: readonly string[]): readonly DaemonSet[] {
  if (names.length > 0) {
    const wanted = new Set(names);
    return daemonSets.filter((daemonSet) => wanted.has(daemonSet.name) || wanted.has(keyOf(daemonSet)));
  }
  const labelled = daemonSets.filter(({ role }) => role === 'hook' || role === 'continuous');
  if (labelled.length > 0) return labelled;
  const ofTheChart = daemonSets.filter(({ component }) => component.endsWith('image-puller'));
  return ofTheChart.length > 0 ? ofTheChart : daemonSets;
}

/** The names that no DaemonSet of the list has. */
export function namesWithout(daemonSets: readonly DaemonSet[], names: readonly string[]): string[] {
  return names.filter((name) => choose(daemonSets, [name]).length === 0);
}

function keyOf({ namespace, name }: DaemonSet): string {
  return `${namespace}/${name}`;
}

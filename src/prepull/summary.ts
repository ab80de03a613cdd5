/** Prints a plan for people: what Argo CD will wait for, which images in which order, and everything that was changed to get there. */
import type { Gate } from '../api/choices.ts';
import type { AppPlan, Plan, PullerPlan } from './plan.ts';

const GATE_SENTENCES: Record<Gate, string> = {
  presync: 'Argo CD waits for the hook puller before it changes anything',
  wave: 'Argo CD waits for the continuous puller in an early sync wave, on self-heal too; not in a sync that leaves the puller out',
  job: 'Argo CD waits for a Job that watches the hook puller',
  none: 'Argo CD waits for nothing',
};

const SOURCES_SHOWN = 2;

/** Text of several lines, each ended. */
export function printSummary(plan: Plan): string {
  const digest = plan.digest === undefined ? [] : [`image digest ${plan.digest.value} on ${plan.digest.object}`];
  const apps =
    plan.apps.length === 0 ? ['nothing to pull: no hub, no labelled workload, no images'] : plan.apps.flatMap(appLines);
  return [`gate ${plan.gate}: ${GATE_SENTENCES[plan.gate]}`, ...apps, ...digest].map((line) => `${line}\n`).join('');
}

function appLines(app: AppPlan): string[] {
  const place = app.namespace === undefined ? '' : ` in namespace ${app.namespace}`;
  const images = app.images.map(({ written, always, sources }, index) => {
    const shown = sources.slice(0, SOURCES_SHOWN).map(({ object, path }) => `${object} ${path}`);
    const more = sources.length > SOURCES_SHOWN ? [`${sources.length - SOURCES_SHOWN} more`] : [];
    return `${index + 1}. ${written}${always ? ' (pulled each time)' : ''}: ${[...shown, ...more].join(', ')}`;
  });
  return [
    `${app.title}${place}`,
    ...section('pullers', app.pullers.map(pullerLine)),
    ...section('images', images),
    ...section(
      'not pulled',
      app.skipped.map(({ reference, why }) => `${reference}: ${why}`),
    ),
    ...section(
      'copied for the hook',
      app.copied.map(({ from, to }) => `${from} as ${to}`),
    ),
    ...section('added', app.added),
    ...section(
      'changed',
      app.changed.map(({ object, what }) => `${object}: ${what}`),
    ),
    ...section('dropped', app.dropped),
    ...section('must exist in the cluster before the sync', app.preconditions),
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`  ${title}`, ...lines.map((line) => `    ${line}`)];
}

function pullerLine({ object, role, from, phase, wave, pullMethod, priorityClassName }: PullerPlan): string {
  const details = [
    `${role}, from ${from}`,
    `${phase} wave ${wave}`,
    ...(pullMethod === undefined ? [] : [`pull method ${pullMethod}`]),
    ...(priorityClassName === undefined ? [] : [`priority ${priorityClassName}`]),
  ];
  return `${object}: ${details.join(', ')}`;
}

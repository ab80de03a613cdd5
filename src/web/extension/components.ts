/** The React components that Argo CD is given: a tab on DaemonSets, a part of the Application's status panel, and what that opens. */
import { ROLE_LABEL } from '../../api/names.ts';
import type { Pull } from '../pull.ts';
import { HEALTH_SIGNS } from '../words.ts';
import { argoCd } from './argocd.ts';
import type { Application, FlyoutProps, PanelProps, ReactElement, TabProps } from './argocd.ts';
import { follow, wake } from './feed.ts';
import { showPulls } from './show-pulls.ts';
import type { Only } from './view.ts';

/** Argo CD shows the tab on every DaemonSet. */
export function PullTab({ application, resource: { metadata } }: TabProps): ReactElement {
  const { createElement } = argoCd.React;
  const isPuller = metadata?.labels?.[ROLE_LABEL] !== undefined;
  const only = { namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' };
  if (!isPuller) return createElement('p', { style: { padding: '1rem' } }, 'This DaemonSet is not a puller.');
  return createElement(Pulls, { application, only });
}

export function PullsFlyout({ application }: FlyoutProps): ReactElement {
  return argoCd.React.createElement(Pulls, { application, only: undefined });
}

function Pulls({ application, only }: { application: Application; only: Only | undefined }): ReactElement {
  const { createElement, useEffect, useRef } = argoCd.React;
  const host = useRef(null);
  const { namespace, name } = application.metadata;
  useEffect(
    () => (host.current === null ? undefined : showPulls(host.current, application, only)),
    // Argo CD makes new objects of the same application all the time.
    [namespace, name, only?.namespace, only?.name],
  );
  return createElement('div', { ref: host });
}

/** What the status panel says: of pulls that are there the worst, else the newest of those before. */
interface Summary {
  pull: Pull;
  more: number;
}

/** Nothing at all for applications without pulls, and for who may not see them. */
export function PullsPanel({ application, openFlyout }: PanelProps): ReactElement | null {
  const { createElement, useEffect, useState } = argoCd.React;
  const [summary, setSummary] = useState<Summary | undefined>(undefined);
  const { namespace, name } = application.metadata;
  const { phase, startedAt } = application.status?.operationState ?? {};
  useEffect(() => {
    const sum = (): void => {
      setSummary(feed.refused ? undefined : summaryOf([...feed.pulls.values()], feed.past));
    };
    const { feed, leave } = follow(application, { eager: false, listed: sum, heard: sum, said: sum });
    sum();
    return leave;
  }, [namespace, name]);
  useEffect(() => {
    wake(application);
    return undefined;
  }, [namespace, name, phase, startedAt]);
  if (summary === undefined) return null;
  const { pull, more } = summary;
  const others = more === 0 ? '' : ` (and ${more} more)`;
  return createElement(
    'div',
    { className: 'application-status-panel__item argocd-prepuller' },
    createElement(
      'div',
      { style: { display: 'flex', alignItems: 'center' } },
      createElement('label', null, 'IMAGE PULLS'),
      createElement('button', { className: MORE, onClick: openFlyout, 'aria-label': 'More on image pulls' }, 'MORE'),
    ),
    createElement(
      'div',
      { className: 'application-status-panel__item-value' },
      `${HEALTH_SIGNS[pull.health]} ${pull.health}${pull.endedAt === undefined ? '' : ', ended'}`,
    ),
    createElement(
      'div',
      { className: 'application-status-panel__item-name' },
      `${pull.name}: ${pull.message}${others}`,
    ),
  );
}

/** As Argo CD's own buttons in that place. */
const MORE = 'argo-button argo-button--base argo-button--sm application-status-panel__more-button';

const WORST_FIRST = ['Degraded', 'Progressing', 'Healthy'];

function summaryOf(pulls: readonly Pull[], past: readonly Pull[]): Summary | undefined {
  const [worst, ...others] = [...pulls].sort((one, other) => rank(one) - rank(other));
  if (worst !== undefined) return { pull: worst, more: others.length };
  const [newest] = past;
  return newest === undefined ? undefined : { pull: newest, more: 0 };
}

function rank({ health }: Pull): number {
  return WORST_FIRST.indexOf(health);
}

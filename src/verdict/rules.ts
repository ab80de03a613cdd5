/** The rule table as one ordered list, and how it is read: the first row that speaks settles a node. docs/rules.md is made from it. */
import type { Policy } from '../api/policy.ts';
import {
  cannotReach,
  isBlocked,
  isOtherPlatform,
  isPermanent,
  isRefused,
  isRetrying,
  isUnderWay,
  type ImageRule,
} from './image-rules.ts';
import {
  cannotStart,
  isGoing,
  isImpossible,
  isLate,
  isNotReady,
  isOldPodStuck,
  isPulled,
  isRejecting,
  isUnschedulable,
  type NodeRule,
  type Surroundings,
} from './node-rules.ts';
import type { ImageView, NodeView } from './node-view.ts';
import { clean, timeText } from './text.ts';
import type { Finding, NodeState } from './verdict.ts';

export type Row = { observed: string; outcome: string } & (
  { asks: 'node'; rule: NodeRule } | { asks: 'image'; rule: ImageRule }
);

/** A row's number is its place, counted from 1. */
export const ROWS: readonly Row[] = [
  { asks: 'node', rule: isPulled, observed: 'every wanted image is proven on the node', outcome: 'pulled' },
  {
    asks: 'node',
    rule: isLate,
    observed: 'the node joined, or turned Ready, after the first look',
    outcome: 'tolerated: left to the continuous puller',
  },
  { asks: 'node', rule: isGoing, observed: 'the node is being removed, or gone', outcome: 'tolerated: leaving' },
  {
    asks: 'node',
    rule: isImpossible,
    observed: 'a virtual node, or another operating system',
    outcome: 'tolerated: cannot run it',
  },
  {
    asks: 'node',
    rule: isOldPodStuck,
    observed: 'only a pod that is being deleted, past scheduling-grace',
    outcome: 'tolerated: old pod stuck',
  },
  {
    asks: 'node',
    rule: isUnschedulable,
    observed: 'the scheduler does not place the pod, past scheduling-grace',
    outcome: 'tolerated, in the words of the scheduler',
  },
  {
    asks: 'node',
    rule: isRejecting,
    observed: 'the node turns pods away, or its disk is full, past rejection-grace',
    outcome: 'tolerated: rejecting',
  },
  {
    asks: 'node',
    rule: isNotReady,
    observed: 'the node is not ready, past scheduling-grace',
    outcome: 'tolerated: not ready',
  },
  {
    asks: 'node',
    rule: cannotStart,
    observed: 'the pod is bound but no pull began, past scheduling-grace',
    outcome: 'tolerated: cannot start pods',
  },
  {
    asks: 'image',
    rule: isOtherPlatform,
    observed: 'the image has no build for the platform',
    outcome: 'tolerated; failed after missing-image-window when no node has one',
  },
  {
    asks: 'image',
    rule: isBlocked,
    observed: 'the image stands behind an init container that cannot start',
    outcome: 'tolerated: blocked',
  },
  {
    asks: 'image',
    rule: isPermanent,
    observed: 'missing image, invalid reference, pull policy Never',
    outcome: 'failed after missing-image-window; tolerated when another node pulled it',
  },
  {
    asks: 'image',
    rule: isRefused,
    observed: 'credentials refused, registry set up wrongly',
    outcome: 'failed after missing-image-window; tolerated when another node pulled it',
  },
  {
    asks: 'image',
    rule: cannotReach,
    observed: 'connection errors past network-grace while another node has the image',
    outcome: 'tolerated: cannot reach the registry',
  },
  {
    asks: 'image',
    rule: isRetrying,
    observed: 'an error that may pass, or one nobody knows',
    outcome: 'pulling, the error shown',
  },
  { asks: 'image', rule: isUnderWay, observed: 'anything else under way', outcome: 'pulling, which image of how many' },
];

interface Spoken {
  row: number;
  finding: Finding;
}

/** What the first row that speaks says, or the deadline. A grace that still runs keeps later rows from failing the node. */
export function stateOf(view: NodeView, around: Surroundings): NodeState {
  const spoken = askNode(view, around) ?? askImages(view, around);
  const { finding, row } = spoken.finding.state === 'pulling' ? withinDeadline(spoken, view, around) : spoken;
  return settled(view, row, finding);
}

/** A node's state by the row that spoke. Late and impossible nodes are in no percentage; those on their way out do not count. */
export function settled({ name }: NodeView, row: number, finding: Finding): NodeState {
  const inBase = row !== 2 && row !== 4;
  return { node: name, row, ...finding, counts: finding.state === 'tolerated' && inBase && row !== 3, inBase };
}

/** The state of a node that no pod was ever made for, when rows 2 to 4 speak; row 1 has nothing to go by. */
export function stateBefore(view: NodeView, around: Surroundings): NodeState | undefined {
  for (const [index, row] of ROWS.slice(0, 4).entries()) {
    const finding = row.asks === 'node' ? row.rule(view, around) : undefined;
    if (finding !== undefined) return settled(view, index + 1, finding);
  }
  return undefined;
}

function askNode(view: NodeView, around: Surroundings): Spoken | undefined {
  let waiting: Spoken | undefined;
  for (const [index, row] of ROWS.entries()) {
    const finding = row.asks === 'node' ? row.rule(view, around) : undefined;
    if (finding === undefined) continue;
    if (finding.state !== 'pulling') return { row: index + 1, finding };
    waiting ??= { row: index + 1, finding };
  }
  return waiting;
}

/** A failed image settles the node at once; tolerated ones only when no other image is still on its way. */
function askImages(view: NodeView, around: Surroundings): Spoken {
  const open = view.images.filter(({ proof }) => proof === undefined);
  const spoken = view.pod === undefined ? [] : open.map((image) => askImage(image, view, around));
  const ofState = (state: Finding['state']): Spoken | undefined =>
    spoken.filter(({ finding }) => finding.state === state).sort((one, other) => one.row - other.row)[0];
  return (
    ofState('failed') ?? ofState('pulling') ?? ofState('tolerated') ?? { row: ROWS.length, finding: notReplaced(view) }
  );
}

function askImage(image: ImageView, view: NodeView, around: Surroundings): Spoken {
  for (const [index, row] of ROWS.entries()) {
    const finding = row.asks === 'image' ? row.rule(image, view, around) : undefined;
    if (finding !== undefined) return { row: index + 1, finding };
  }
  return { row: ROWS.length, finding: isUnderWay(image, view) };
}

/** Only a pod of an older template: earlier rows speak of nodes without any. */
function notReplaced({ old, progressAt }: NodeView): Finding {
  const message = `old pod ${clean(old?.name ?? '', 253)} has not been replaced yet`;
  return { state: 'pulling', reason: 'Waiting', message, since: progressAt };
}

function withinDeadline(spoken: Spoken, view: NodeView, { clock, policy }: Surroundings): Spoken {
  const { finding, row } = spoken;
  if (finding.bounded === true || !clock.passed(view.progressAt, policy.deadline)) return spoken;
  const message = `no progress since ${timeText(view.progressAt)}: ${finding.message}`;
  return {
    row,
    finding: {
      ...finding,
      state: stateAtDeadline(policy),
      reason: 'DeadlineExceeded',
      message,
      since: view.progressAt,
    },
  };
}

/** What a node, or a missing pod, becomes at its deadline. */
export function stateAtDeadline({ onDeadline }: Policy): 'failed' | 'tolerated' {
  return onDeadline === 'fail' ? 'failed' : 'tolerated';
}

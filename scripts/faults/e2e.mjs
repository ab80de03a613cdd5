/**
 * Faults for e2e-faults.mjs: rules of the judge that no longer speak, and the grace period of hook pods. Each with the file it is
 * in, the text that states it (once in its file), what is written in its place, and the e2e test that must fail.
 */
const NODE_RULES = 'src/verdict/node-rules.ts';
const IMAGE_RULES = 'src/verdict/image-rules.ts';
const LADDER = 'src/verdict/ladder.ts';

/** A rule that never speaks: its function returns before its first line. */
function silent(name, file, text, test) {
  return { name, file, text, replacement: `${text}\n  return undefined;`, test };
}

const node = (row, text, test) => silent(row, NODE_RULES, `export function ${text} {`, test);
const image = (row, text, test) => silent(row, IMAGE_RULES, `export function ${text} {`, test);
const rung = (name, text, test) => silent(name, LADDER, `function ${text}: Decision | undefined {`, test);

const ROWS = [
  node(
    'row 1: every image is on the node',
    'isPulled(view: NodeView): Finding | undefined',
    'a cordoned node that works is pulled on like any other',
  ),
  node(
    'row 2: the node is late',
    'isLate(view: NodeView, { puller }: Surroundings): Finding | undefined',
    'a node that joins late is left to the continuous puller',
  ),
  node(
    'row 3: the node is gone',
    'isGoing({ node, gone }: NodeView): Finding | undefined',
    'a node deleted meanwhile holds nothing',
  ),
  node(
    'row 4: the node is virtual',
    'isImpossible({ node }: NodeView, { daemonSet }: Surroundings): Finding | undefined',
    'a virtual node is no exception that counts',
  ),
  node(
    'row 5: an old pod does not go',
    'isOldPodStuck({ pod, old, deleting }: NodeView, around: Surroundings): Finding | undefined',
    'a node whose old pod does not go is tolerated',
  ),
  node(
    'row 6: the scheduler does not place the pod',
    'isUnschedulable({ pod, turnedAway }: NodeView, around: Surroundings): Finding | undefined',
    'a full node is tolerated and named; upstream’s rule hangs on it',
  ),
  node(
    'row 7: the node turns pods away',
    'isRejecting(view: NodeView, around: Surroundings): Finding | undefined',
    'a node that turns pods away is tolerated',
  ),
  silent(
    'row 7: the disk is full',
    NODE_RULES,
    'function isDiskFull(view: NodeView, around: Surroundings): Finding | undefined {',
    'a node without room for an image is tolerated',
  ),
  node(
    'row 8: the node is not ready',
    'isNotReady({ node }: NodeView, around: Surroundings): Finding | undefined',
    'a silent node is tolerated once it is called lost',
  ),
  node(
    'row 9: no pull begins',
    'cannotStart(view: NodeView, around: Surroundings): Finding | undefined',
    'a cordoned node that starts no pods is tolerated, its cordon named',
  ),
  image(
    'row 10: no build for the platform',
    'isOtherPlatform(image: ImageView, view: NodeView, around: Surroundings): Finding | undefined',
    'a node for which an image is not built is tolerated',
  ),
  image(
    'row 11: behind an init container that cannot start',
    'isBlocked({ image, blockedBy }: ImageView): Finding | undefined',
    'an image behind an init container that cannot start is not waited for',
  ),
  image(
    'row 12: nobody can have the image',
    'isPermanent(image: ImageView, view: NodeView, around: Surroundings): Finding | undefined',
    'a missing image fails the puller, by name',
  ),
  image(
    'row 13: the registry refuses',
    'isRefused(image: ImageView, view: NodeView, around: Surroundings): Finding | undefined',
    'an image that is refused fails the puller, by name',
  ),
  {
    name: 'row 14: the node cannot reach the registry',
    file: IMAGE_RULES,
    text: "if (error?.kind !== 'connection' || !around.proven.has(image)) return undefined;",
    replacement: 'if (error !== null) return undefined;',
    test: 'a node that cannot reach a registry is tolerated where others can',
  },
  image(
    'row 15: an error that may pass',
    'isRetrying({ image, reference, error }: ImageView): Finding | undefined',
    'a registry that has no time is waited for, in its words',
  ),
  {
    name: 'row 16: anything else is under way',
    file: IMAGE_RULES,
    text: "state: 'pulling',\n    reason: 'InProgress',",
    replacement: "state: 'tolerated',\n    reason: 'InProgress',",
    test: 'a pull under way holds until its deadline',
  },
];

const RUNGS = [
  rung(
    'rung 0: a final verdict stands',
    'keepsFinal({ daemonSet, puller }: Outlook)',
    'a hook’s verdict is final, whatever comes after it',
  ),
  rung(
    'rung 1: a person lets it through',
    'isOverridden(outlook: Outlook)',
    'a person lets a generation through, and no other',
  ),
  {
    name: 'rung 1: of this generation alone',
    file: LADDER,
    text: 'if (annotations.get(OVERRIDE_GENERATION_ANNOTATION) !== String(generation)) return undefined;',
    replacement: '',
    test: 'a person lets a generation through, and no other',
  },
  rung(
    'rung 2: deleted without a verdict',
    'wasDeleted(outlook: Outlook)',
    'a hook deleted by hand fails, and does not hang',
  ),
  rung(
    'rung 2a: completed before',
    'wasCompleted(outlook: Outlook)',
    'a continuous puller that was done stays so while a node starts its pod anew',
  ),
  rung(
    'rung 3: pods are refused',
    'isRefusedPods(outlook: Outlook)',
    'a quota that refuses pods fails the puller in its words',
  ),
  rung(
    'rung 4: not observed yet',
    'isUnobserved(outlook: Outlook)',
    'a generation that nobody looks at fails at its deadline',
  ),
  {
    name: 'rung 5: a failed image',
    file: LADDER,
    text: 'if (worst !== undefined) {',
    replacement: 'if (worst === null) {',
    test: 'a missing image fails the puller, by name',
  },
  {
    name: 'rung 5: under way',
    file: LADDER,
    text: 'if (outlook.counts.pulling === 0) return undefined;',
    replacement: 'return undefined;',
    test: 'a pull under way holds until its deadline',
  },
  {
    name: 'rung 6: strict',
    file: LADDER,
    text: 'if (policy.strict && ',
    replacement: 'if (policy.strict === null && ',
    test: 'a full node fails a strict puller',
  },
  {
    name: 'rung 6: min-pulled',
    file: LADDER,
    text: 'if (counts.pulled >= demanded) return undefined;',
    replacement: 'return undefined;',
    test: 'no node at all fails where one is demanded',
  },
  {
    name: 'rung 7: exceptions are named',
    file: LADDER,
    text: "return decide('Healthy', 'Pulled', outlook, words, exceptions);",
    replacement: "return decide('Healthy', 'Pulled', outlook, words);",
    test: 'a full node is tolerated and named; upstream’s rule hangs on it',
  },
  {
    name: 'rung 7: no node is a reason of its own',
    file: LADDER,
    text: 'if (counts.eligible === 0 && counts.pulled === 0)',
    replacement: 'if (counts.eligible < 0)',
    test: 'no node at all is done at once, and says so',
  },
];

const HOOKS = [
  {
    name: 'hook pods have no grace period',
    file: 'src/prepull/puller-pod.ts',
    text: 'terminationGracePeriodSeconds: 0',
    replacement: 'terminationGracePeriodSeconds: 30',
    test: 'a hook on a dead node goes at once, and the next sync makes another',
  },
];

export const E2E_FAULTS = [...ROWS, ...RUNGS, ...HOOKS];

/**
 * Faults for e2e-faults.mjs in what Argo CD is given. Each with the file it is in, the text that states the rule (once in its file),
 * what is written in its place, and the e2e test on a real Argo CD that must fail.
 */
const FIRST = 'first sync: the images, then and only then the hub';
const FIRST_PRIORITY = 'first sync: with pod priority the hook brings its class';
const FIRST_PRIVATE = 'first sync: with private images the pods have their pull Secret';
const WAVE = 'wave: an automatic sync waits for the puller, then changes the hub';

export const ARGOCD_FAULTS = [
  {
    name: 'the puller is a PreSync hook',
    file: 'src/prepull/argo-phase.ts',
    text: "[HOOK_ANNOTATION]: phase.hook && 'PreSync',",
    replacement: "[HOOK_ANNOTATION]: phase.hook && 'PostSync',",
    test: FIRST,
  },
  {
    name: 'a hook is made anew at each sync',
    file: 'src/prepull/argo-phase.ts',
    text: "recreated: 'BeforeHookCreation,HookSucceeded'",
    replacement: "recreated: 'HookSucceeded'",
    test: 'no retries: it fails once, the right tag goes through',
  },
  {
    name: 'copies go when the sync is through',
    file: 'src/prepull/argo-phase.ts',
    text: "standing: 'HookSucceeded'",
    replacement: "standing: 'HookFailed'",
    test: FIRST_PRIVATE,
  },
  {
    name: 'copies come before the hook',
    file: 'src/prepull/hook-puller.ts',
    text: 'copyForHook(needs, app.hub, wave - 1, options)',
    replacement: 'copyForHook(needs, app.hub, wave + 1, options)',
    test: FIRST_PRIORITY,
  },
  {
    name: 'what the hook needs is copied',
    file: 'src/prepull/hook-puller.ts',
    text: 'const added = copies.map(({ copy }) => copy);',
    replacement: 'const added: (typeof puller)[] = [];',
    test: FIRST_PRIVATE,
  },
  {
    name: 'the pull Secret is no hook any more',
    file: 'src/prepull/prerequisites.ts',
    text: 'if (hookOf(currentOf(draft, object)) === undefined) return;',
    replacement: 'if (hookOf(currentOf(draft, object)) !== null) return;',
    test: 'a sync terminated takes its puller along, and the next goes through',
  },
  {
    name: 'the awaiter of the chart goes',
    file: 'src/prepull/gates.ts',
    text: 'for (const object of hub.awaiter) drop(object, context, plan);',
    replacement: '',
    test: FIRST,
  },
  {
    name: 'a puller bears our role',
    file: 'src/prepull/puller.ts',
    text: 'const labels = { [ROLE_LABEL]: design.role, ',
    replacement: 'const labels = { [`${ROLE_LABEL}-of`]: design.role, ',
    test: 'first sync: a full node does not hold it',
  },
  {
    name: 'hook pods have no grace period before Argo CD',
    file: 'src/prepull/puller-pod.ts',
    text: 'terminationGracePeriodSeconds: 0',
    replacement: 'terminationGracePeriodSeconds: 30',
    test: 'a node that dies while it pulls',
  },
  {
    name: 'all nodes are updated at once',
    file: 'src/prepull/puller.ts',
    text: "maxUnavailable: '100%'",
    replacement: 'maxUnavailable: 1',
    test: 'wave: a full node is named, a missing image keeps the hub as it is',
  },
  {
    name: 'judged by Argo CD a hook is OnDelete',
    file: 'src/prepull/puller.ts',
    text: "return { type: 'OnDelete' }",
    replacement: "return { type: 'RollingUpdate' }",
    test: 'job: a full node is tolerated and named, twice',
  },
  {
    name: 'without a Job Argo CD waits for the pods',
    file: 'src/prepull/hook-puller.ts',
    text: "isAwaited: options.gate === 'job',",
    replacement: 'isAwaited: true,',
    test: 'presync with `judge: builtin` waits for the images all the same',
  },
  {
    name: 'the puller comes in a wave before the hub',
    file: 'src/prepull/continuous-puller.ts',
    text: 'const wave = holds ? waveBefore(app.users, base.daemonSet) : waveOf(base.daemonSet);',
    replacement: 'const wave = waveOf(base.daemonSet);',
    test: WAVE,
  },
  {
    name: 'a PriorityClass that is named is made',
    file: 'src/prepull/priority.ts',
    text: 'return { className: nameOf(emitted), emitted, warnings: [] }',
    replacement: 'return { className: nameOf(emitted), warnings: [] }',
    test: WAVE,
  },
  {
    name: 'no PriorityClass where none is wanted',
    file: 'src/prepull/priority.ts',
    text: 'if (!options.emitPriorityClass) return',
    replacement: 'if (options.emitPriorityClass === undefined) return',
    test: 'a project without PriorityClasses: refused by name, then without them',
  },
  {
    name: 'the digest is on an ordinary object',
    file: 'src/prepull/digest-carrier.ts',
    text: 'if (annotationOf(current, IMAGES_DIGEST_ANNOTATION) !== value)',
    replacement: 'if (value === current.kind)',
    test: 'a change of the hook alone makes the app OutOfSync',
  },
];

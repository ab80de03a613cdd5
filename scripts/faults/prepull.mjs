/**
 * Faults in the plan for planted-faults.mjs: in which file, which test must notice, and for each rule that is broken the text that
 * states it and what is written in its place. A text stands in its file exactly once.
 */
export const PREPULL_FAULTS = [
  {
    file: 'src/prepull/argo-phase.ts',
    test: 'test/prepull/gates.test.ts',
    faults: [
      [
        'a hook is recreated at each sync',
        "recreated: 'BeforeHookCreation,HookSucceeded'",
        "recreated: 'HookSucceeded'",
      ],
      ["Helm's hook annotations go", '[HELM_HOOK_ANNOTATION]: undefined,', ''],
    ],
  },
  {
    file: 'src/prepull/argo-phase.ts',
    test: 'test/prepull/prerequisites.test.ts',
    faults: [
      [
        'what a kept puller needs is not deleted first',
        "standing: 'HookSucceeded'",
        "standing: 'BeforeHookCreation,HookSucceeded'",
      ],
    ],
  },
  {
    file: 'src/prepull/hook-puller.ts',
    test: 'test/prepull/prerequisites.test.ts',
    faults: [
      [
        'copies come a wave before the hook',
        'copyForHook(needs, app.hub, wave - 1, options)',
        'copyForHook(needs, app.hub, wave, options)',
      ],
    ],
  },
  {
    file: 'src/prepull/hook-puller.ts',
    test: 'test/prepull/gates.test.ts',
    faults: [
      [
        'in the job gate the built-in rule judges',
        "policy: options.gate === 'job' ?",
        "policy: options.gate === 'none' ?",
      ],
      ['without a Job Argo CD waits for the pods', "isAwaited: options.gate === 'job'", 'isAwaited: true'],
    ],
  },
  {
    file: 'src/prepull/gates.ts',
    test: 'test/prepull/gates.test.ts',
    faults: [
      ['the wave gate drops the hook', 'wave: { hook: false,', 'wave: { hook: true,'],
      [
        'the off switch holds nothing',
        'none: { hook: false, continuousHolds: false }',
        'none: { hook: false, continuousHolds: true }',
      ],
      ["the chart's awaiter goes", 'for (const object of hub.awaiter) drop(object, context, plan);', ''],
    ],
  },
  {
    file: 'src/prepull/gates.ts',
    test: 'test/rendered.test.ts',
    faults: [
      [
        'the pull Secret becomes an ordinary object',
        'if (hub.pullSecret !== undefined) makeOrdinary(hub.pullSecret, context.draft, plan);',
        '',
      ],
    ],
  },
  {
    file: 'src/prepull/puller-pod.ts',
    test: 'test/prepull/puller-pod.test.ts',
    faults: [
      [
        'pods leave an unreachable node at once',
        'terminationGracePeriodSeconds: 0',
        'terminationGracePeriodSeconds: 30',
      ],
      ['puller pods have no token', 'automountServiceAccountToken: false', 'automountServiceAccountToken: true'],
      [
        'only the first container has the requests of the chart',
        'index === 0 ? (chart.requests ?? {})',
        'index >= 0 ? (chart.requests ?? {})',
      ],
      [
        'a tag that moves is pulled anew',
        "return always ? 'Always' : 'IfNotPresent'",
        "return always ? 'IfNotPresent' : 'IfNotPresent'",
      ],
      ['all capabilities are dropped', "capabilities: { drop: ['ALL'] }", 'capabilities: {}'],
    ],
  },
  {
    file: 'src/prepull/puller.ts',
    test: 'test/prepull/gates.test.ts',
    faults: [
      ['one full node does not stop an update', "maxUnavailable: '100%'", 'maxUnavailable: 1'],
      [
        'a hook says which revision it belongs to',
        '...(revision !== undefined && { [REVISION_ANNOTATION]: revision }),',
        '',
      ],
      ['the built-in rule needs OnDelete', "return { type: 'OnDelete' }", "return { type: 'RollingUpdate' }"],
    ],
  },
  {
    file: 'src/prepull/collect-images.ts',
    test: 'test/prepull/collect-images.test.ts',
    faults: [
      ['an image is pulled once', 'const known = images.get(reference);', 'const known = images.get(text);'],
      ['a password in a reference is not shown', "text.replace(/^.*@(?!sha\\d+:)/s, '***@')", 'text'],
    ],
  },
  {
    file: 'src/prepull/digest.ts',
    test: 'test/prepull/digest.test.ts',
    faults: [['the digest does not depend on the order of images', 'digestOf(lines.sort())', 'digestOf(lines)']],
  },
  {
    file: 'src/prepull/names.ts',
    test: 'test/prepull/names.test.ts',
    faults: [
      [
        'names fit a label',
        'clean(`pull-${index}-${repository}`, MAX_LENGTH)',
        'clean(`pull-${index}-${repository}`, 99)',
      ],
      [
        'two apps do not share a cluster-scoped name',
        'uniqueName([app, namespace, ...words], [app, namespace, ...hub, ...words, ...identity])',
        'uniqueName(words, [...words, ...identity])',
      ],
    ],
  },
  {
    file: 'src/prepull/priority.ts',
    test: 'test/prepull/priority.test.ts',
    faults: [
      [
        'a PriorityClass is named only if something creates it',
        'return { className: nameOf(emitted), emitted, warnings: [] }',
        'return { className: nameOf(emitted), warnings: [] }',
      ],
      ['the continuous puller displaces no user', 'const PLACEHOLDER_VALUE = -10;', 'const PLACEHOLDER_VALUE = 10;'],
      ['above the placeholders is not above users', 'Math.min(user, Math.max(', 'Math.max(user, Math.max('],
    ],
  },
  {
    file: 'src/prepull/prerequisites.ts',
    test: 'test/prepull/prerequisites.test.ts',
    faults: [
      [
        'identity of the pull is copied with a ServiceAccount',
        "kind === 'ServiceAccount' ? copiedAnnotations(object) : {}",
        '{}',
      ],
      [
        'two hubs of a namespace have copies of their own',
        'scope.namespace, ...scope.hub, kind',
        'scope.namespace, kind',
      ],
      ["a class's value is part of its copy's name", "['priority', valueWord(object.value)]", "['priority']"],
    ],
  },
  {
    file: 'src/prepull/wanted-images.ts',
    test: 'test/prepull/wanted-images.test.ts',
    faults: [
      [
        'pullProfileListImages: false is kept to',
        "profileImages === 'all' || (profileImages === 'auto' && configured.pullProfileListImages)",
        "profileImages === 'all' || profileImages === 'auto'",
      ],
    ],
  },
  {
    file: 'src/prepull/workloads.ts',
    test: 'test/rendered.test.ts',
    faults: [
      [
        'workloads that run in different places share no selector',
        'return others.length === 0 ? first : undefined;',
        'return first;',
      ],
    ],
  },
  {
    file: 'src/prepull/await-job.ts',
    test: 'test/prepull/await-job.test.ts',
    faults: [
      ['the Job comes a wave after the puller', 'design.pullerWave + 1', 'design.pullerWave'],
      ['rights are given in a namespace that is known', 'if (namespace === undefined)', 'if (false)'],
    ],
  },
  {
    file: 'src/prepull/puller-base.ts',
    test: 'test/prepull/puller-base.test.ts',
    faults: [
      ['what a cluster wrote is not taken over', '...built.metadata,', '...sibling.metadata, ...built.metadata,'],
    ],
  },
  {
    file: 'src/prepull/needs.ts',
    test: 'test/prepull/needs.test.ts',
    faults: [
      [
        "the default account's Secrets are needs",
        'length > 0 ? account : undefined',
        'length > 0 ? undefined : undefined',
      ],
      ['what an operator makes a Secret from is known', '? findMaker(name, place)', '? undefined'],
    ],
  },
  {
    file: 'src/prepull/digest-carrier.ts',
    test: 'test/rendered.test.ts',
    faults: [
      [
        'without a continuous puller the hub carries the digest',
        'apps.flatMap(({ users }) => users).find((user) => ordinary.includes(user)) ??',
        '',
      ],
    ],
  },
];

/**
 * Faults for planted-faults.mjs: in which file, which test must notice, and for each rule that is broken the text that states it
 * and what is written in its place. A text stands in its file exactly once.
 */
export const FAULTS = [
  {
    file: 'src/prepull/argo-phase.ts',
    test: 'test/prepull/gates.test.ts',
    faults: [
      [
        'a hook is recreated at each sync',
        "recreated: 'BeforeHookCreation,HookSucceeded'",
        "recreated: 'HookSucceeded'",
      ],
      [
        'what a kept puller needs is not deleted first',
        "standing: 'HookSucceeded'",
        "standing: 'BeforeHookCreation,HookSucceeded'",
      ],
      ["Helm's hook annotations go", '[HELM_HOOK_ANNOTATION]: undefined,', ''],
    ],
  },
  {
    file: 'src/prepull/hook-puller.ts',
    test: 'test/prepull/gates.test.ts',
    faults: [
      [
        'copies come a wave before the hook',
        'copyForHook(needs, app.hub, wave - 1, options)',
        'copyForHook(needs, app.hub, wave, options)',
      ],
      [
        'in the job gate the built-in rule judges',
        "policy: options.gate === 'job' ?",
        "policy: options.gate === 'none' ?",
      ],
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
    test: 'test/prepull/puller.test.ts',
    faults: [
      ['one full node does not stop an update', "maxUnavailable: '100%'", 'maxUnavailable: 1'],
      [
        'the revision stands on hooks only',
        '...(phase?.hook !== undefined && revisionAnnotations(revision))',
        '...revisionAnnotations(revision)',
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
    faults: [
      [
        'the digest does not depend on the order of images',
        'digestOf(lines.sort(), LABEL_DIGITS)',
        'digestOf(lines, LABEL_DIGITS)',
      ],
    ],
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
        '[app, namespace, ...hub, ...words, ...identity]',
        '[namespace, ...hub, ...words, ...identity]',
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
    ],
  },
  {
    file: 'src/prepull/prerequisites.ts',
    test: 'test/prepull/prerequisites.test.ts',
    faults: [
      [
        'identity of the pull is copied with a ServiceAccount',
        "kind === 'ServiceAccount' ? identityAnnotations(object) : {}",
        '{}',
      ],
      ["a class's value is part of its copy's name", "['priority', valueWord(object.value)]", "['priority']"],
    ],
  },
  {
    file: 'src/manifest/edit.ts',
    test: 'test/manifest/edit.test.ts',
    faults: [
      [
        'a List is looked into',
        'return isList(object) ? object.items.flatMap(flatten) : [object];',
        'return [object];',
      ],
      ['an untouched document keeps its bytes', 'if (object === manifest.object) return manifest;', ''],
    ],
  },
  {
    file: 'src/manifest/split.ts',
    test: 'test/manifest/stream.test.ts',
    faults: [
      ['text after a separator is refused', 'if (!BARE.test(', 'if (BARE.test('],
      ['lines are counted from 1', 'let line = 1;', 'let line = 0;'],
    ],
  },
  {
    file: 'src/manifest/stream.ts',
    test: 'test/manifest/stream.test.ts',
    faults: [
      [
        'what is not UTF-8 is refused',
        'if (text.stranger !== undefined && holds(value, text.stranger))',
        'if (text.stranger === undefined && holds(value, text.stranger ?? "")) ',
      ],
    ],
  },
  {
    file: 'src/manifest/hooks.ts',
    test: 'test/manifest/hooks.test.ts',
    faults: [
      [
        'a hook without a policy is deleted before it is made',
        "policies.length > 0 ? policies : ['BeforeHookCreation']",
        "policies.length > 0 ? policies : ['HookSucceeded']",
      ],
      ['a Helm weight counts as a wave', 'integer(annotationOf(object, HELM_HOOK_WEIGHT_ANNOTATION)) ??', ''],
    ],
  },
  {
    file: 'src/manifest/awaiter.ts',
    test: 'test/manifest/awaiter.test.ts',
    faults: [
      [
        'an account that others use stays with them',
        "account === 'default' || isUsedByOthers(account, job, objects)",
        "account === 'default'",
      ],
    ],
  },
  {
    file: 'src/manifest/hubs.ts',
    test: 'test/manifest/hubs.test.ts',
    faults: [
      [
        'hubs of two namespaces are two hubs',
        'return core.namespace === namespaceOf(object) && sameHubLabels(',
        'return sameHubLabels(',
      ],
    ],
  },
];

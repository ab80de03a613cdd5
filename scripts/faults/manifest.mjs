/**
 * Faults in reading manifests for planted-faults.mjs: in which file, which test must notice, and for each rule that is broken the text that
 * states it and what is written in its place. A text stands in its file exactly once.
 */
export const MANIFEST_FAULTS = [
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
    test: 'test/rendered.test.ts',
    faults: [
      [
        'hubs of two namespaces are two hubs',
        'return core.namespace === namespace && sameHubLabels(',
        'return sameHubLabels(',
      ],
    ],
  },
  {
    file: 'src/manifest/profile-images.ts',
    test: 'test/manifest/configured-images.test.ts',
    faults: [
      [
        'init containers of profiles are pulled',
        "    imagesOfContainers(valueAt(override, 'init_containers'), `${path}.init_containers`),\n",
        '',
      ],
    ],
  },
  {
    file: 'src/manifest/user-scheduling.ts',
    test: 'test/manifest/user-scheduling.test.ts',
    faults: [
      ['required node affinity is taken over', "matchNodePurpose === 'require' ?", "matchNodePurpose === 'prefer' ?"],
    ],
  },
  {
    file: 'src/manifest/hub-configuration.ts',
    test: 'test/manifest/hub-configuration.test.ts',
    faults: [
      [
        'stringData wins over data',
        'new Map([...data, ...textEntries(object.stringData)])',
        'new Map([...textEntries(object.stringData), ...data])',
      ],
      [
        'a tag that looks like a number stays text',
        "typeof value === 'number' || typeof value === 'bigint' ? text : value",
        'value',
      ],
    ],
  },
  {
    file: 'src/manifest/pullers.ts',
    test: 'test/manifest/pullers.test.ts',
    faults: [
      ['another DaemonSet is no puller', "if (!component.endsWith('image-puller')) return undefined;", ''],
      ['a DaemonSet that sets nodes up is none', '!mountsNode && !isPrivileged', 'true'],
    ],
  },
  {
    file: 'src/manifest/scalars.ts',
    test: 'test/manifest/yaml.test.ts',
    faults: [
      ['yes is true, as kubectl reads it', "'y', 'Y', 'yes',", "'y', 'Y',"],
      ['0400 is octal', '0[oO]?([0-7]+)', '0[oO]([0-7]+)'],
    ],
  },
  {
    file: 'src/manifest/profile-images.ts',
    test: 'test/manifest/image-values.test.ts',
    faults: [
      [
        'a free choice is a warning',
        "valueAt(unlisted, 'enabled') === true && offersImage",
        "valueAt(unlisted, 'enabled') === false && offersImage",
      ],
    ],
  },
];

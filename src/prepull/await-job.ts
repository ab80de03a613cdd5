/**
 * The Job of the `job` gate: it runs `prepuller await` one wave after the puller and ends by the same verdict, for Argo CDs whose
 * health rules cannot be set. Its account and rights exist a wave before the puller.
 */
import type { V1Container, V1PodSpec, V1PolicyRule } from '@kubernetes/client-node';
import { ROLE_LABEL } from '../api/names.ts';
import { UsageError } from '../errors.ts';
import type { Hub } from '../manifest/hubs.ts';
import type { KubeObject } from '../manifest/manifest.ts';
import { asList } from '../manifest/mapping.ts';
import { podSpecOf } from '../manifest/pod-spec.ts';
import { phaseAnnotations, type HookLife } from './argo-phase.ts';
import { changedMap } from './draft.ts';
import { clusterName, labelName, namespaceForHub, scopeOf } from './names.ts';
import { secretNames } from './needs.ts';
import type { PrepullOptions } from './options.ts';
import { NO_SIDECAR_ANNOTATIONS, NO_SIDECAR_LABELS, revisionAnnotations } from './puller.ts';
import type { Copies } from './prerequisites.ts';

export interface AwaitDesign {
  hub: Hub;
  /** The DaemonSet to wait for. */
  puller: string;
  pullerWave: number;
  /** What pull Secrets of the chart's awaiter are called now. */
  rename: Copies['rename'];
}

const READ = ['get', 'list', 'watch'];
const RULES: V1PolicyRule[] = [
  { apiGroups: ['apps'], resources: ['daemonsets'], verbs: READ },
  { apiGroups: [''], resources: ['pods', 'events'], verbs: READ },
];
const NODE_RULES: V1PolicyRule[] = [{ apiGroups: [''], resources: ['nodes'], verbs: READ }];

/** How often the whole wait may take the deadline of one node: a safety net, the verdict comes first. */
const DEADLINES = 4;

/** Account and rights first, the Job last. Throws UsageError where there is no image to run, or no namespace to give rights in. */
export function awaitObjects(design: AwaitDesign, options: PrepullOptions): KubeObject[] {
  if (options.image === undefined)
    throw new UsageError(
      'gate job runs the puller’s verdict in a container: set the parameter image to the argocd-prepuller image',
    );
  const name = labelName(`${design.puller}-await`);
  const namespace = namespaceForHub(design.hub, options.app.namespace);
  if (namespace === undefined)
    throw new UsageError(
      'gate job gives rights to an account of a namespace, which the render does not name: set namespace',
    );
  const earlier = maker(design, 'standing', design.pullerWave - 1);
  const rbac = 'rbac.authorization.k8s.io/v1';
  const subjects = [{ kind: 'ServiceAccount', name, namespace }];
  const clusterRole = clusterName([name], [], scopeOf(design.hub, options));
  const nodeRole = [
    { ...earlier(rbac, 'ClusterRole', clusterRole), rules: NODE_RULES },
    { ...earlier(rbac, 'ClusterRoleBinding', clusterRole), roleRef: roleRef('ClusterRole', clusterRole), subjects },
  ];
  return [
    earlier('v1', 'ServiceAccount', name),
    { ...earlier(rbac, 'Role', name), rules: RULES },
    { ...earlier(rbac, 'RoleBinding', name), roleRef: roleRef('Role', name), subjects },
    ...(options.emitNodeRole ? nodeRole : []),
    job(name, namespace, design, options),
  ];
}

type MakeObject = (apiVersion: string, kind: string, name: string) => KubeObject;

function maker({ hub }: AwaitDesign, life: HookLife, wave: number): MakeObject {
  return (apiVersion, kind, name) => ({
    apiVersion,
    kind,
    metadata: {
      name,
      ...(!kind.startsWith('Cluster') && hub.namespace !== undefined && { namespace: hub.namespace }),
      labels: { ...hub.labels, [ROLE_LABEL]: 'prerequisite' },
      annotations: changedMap({}, phaseAnnotations({ hook: life, wave })),
    },
  });
}

function roleRef(kind: string, name: string): Record<string, string> {
  return { apiGroup: 'rbac.authorization.k8s.io', kind, name };
}

function job(name: string, namespace: string, design: AwaitDesign, options: PrepullOptions): KubeObject {
  const made = maker(design, 'recreated', design.pullerWave + 1)('batch/v1', 'Job', name);
  const { metadata } = made;
  return {
    ...made,
    metadata: { ...metadata, annotations: { ...metadata.annotations, ...revisionAnnotations(options) } },
    spec: {
      activeDeadlineSeconds: Math.max(1, Math.ceil((DEADLINES * options.policy.deadline) / 1000)),
      // The program's "no" is final; a lost node or a crash is not.
      backoffLimit: 6,
      podFailurePolicy: {
        rules: [
          { action: 'FailJob', onExitCodes: { containerName: 'await', operator: 'In', values: [1, 2] } },
          { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
        ],
      },
      template: {
        metadata: { labels: { ...metadata.labels, ...NO_SIDECAR_LABELS }, annotations: NO_SIDECAR_ANNOTATIONS },
        spec: pod(name, namespace, design, options),
      },
    },
  };
}

/** Where the chart's own awaiter would have run, with the resources the chart's values gave it: a quota may demand them. */
function pod(
  name: string,
  namespace: string,
  { hub, puller, rename }: AwaitDesign,
  options: PrepullOptions,
): V1PodSpec {
  const awaiter = hub.awaiter.map((object) => podSpecOf(object)?.spec).find((spec) => spec !== undefined);
  const [container] = asList(awaiter?.containers) as V1Container[];
  const secrets = secretNames(awaiter?.imagePullSecrets).map((secret) => ({ name: rename('Secret', secret) }));
  return {
    ...given(awaiter, ['nodeSelector', 'tolerations', 'affinity']),
    ...(secrets.length > 0 && { imagePullSecrets: secrets }),
    serviceAccountName: name,
    restartPolicy: 'Never',
    containers: [
      {
        name: 'await',
        image: options.image ?? '',
        command: ['prepuller', 'await', '--namespace', namespace, puller],
        ...given(container, ['resources']),
        securityContext: {
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
          readOnlyRootFilesystem: true,
          runAsNonRoot: true,
          seccompProfile: { type: 'RuntimeDefault' },
        },
      },
    ],
  };
}

/** Those of the fields that are there; a null of the template counts as absent. */
function given<T extends object, K extends keyof T>(value: T | undefined, fields: readonly K[]): Partial<Pick<T, K>> {
  const present = fields.filter((field) => (value?.[field] ?? undefined) !== undefined);
  return Object.fromEntries(present.map((field) => [field, value?.[field]])) as Partial<Pick<T, K>>;
}

/** What the API server fills in where an object is silent (pkg/apis/core/v1/defaults.go, pkg/apis/apps/v1/defaults.go): the fields something here reads. */
import type { Fields } from './store.ts';

/** The object with its defaults; other kinds pass unchanged. */
export function withDefaults(kind: string, object: Fields): Fields {
  if (kind === 'Pod') return { ...object, spec: podSpec((object.spec ?? {}) as Fields) };
  if (kind === 'DaemonSet') return { ...object, spec: daemonSetSpec((object.spec ?? {}) as Fields) };
  return object;
}

function daemonSetSpec(spec: Fields): Fields {
  const template = (spec.template ?? {}) as Fields;
  const strategy = { type: 'RollingUpdate', ...(spec.updateStrategy as Fields | undefined) } as Fields;
  const rolling = { maxUnavailable: 1, maxSurge: 0, ...(strategy.rollingUpdate as Fields | undefined) };
  return {
    ...spec,
    template: { ...template, spec: podSpec((template.spec ?? {}) as Fields) },
    updateStrategy: strategy.type === 'RollingUpdate' ? { ...strategy, rollingUpdate: rolling } : strategy,
    revisionHistoryLimit: (spec.revisionHistoryLimit as number | undefined) ?? 10,
  };
}

function podSpec(spec: Fields): Fields {
  return {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
    ...spec,
    ...(spec.initContainers === undefined ? {} : { initContainers: containers(spec.initContainers as Fields[]) }),
    containers: containers((spec.containers ?? []) as Fields[]),
    ...(spec.volumes === undefined ? {} : { volumes: (spec.volumes as Fields[]).map(volume) }),
  };
}

function containers(list: Fields[]): Fields[] {
  return list.map((container) => ({
    resources: {},
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: pullPolicy(container.image as string),
    ...container,
  }));
}

function volume(given: Fields): Fields {
  if (given.image === undefined) return given;
  const image = given.image as Fields;
  return { ...given, image: { pullPolicy: pullPolicy(image.reference as string), ...image } };
}

/** `Always` for `latest` and for no tag, else `IfNotPresent`; a digest is no tag and never changes. */
function pullPolicy(image: string): string {
  const tag = /:([^/:]+)$/.exec(image)?.[1] ?? 'latest';
  return tag === 'latest' && !image.includes('@') ? 'Always' : 'IfNotPresent';
}

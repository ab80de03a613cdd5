/** A DaemonSet as the API server prints it, made into what the judge looks at: which images, which nodes, what was observed. */
import { IMAGES_LABEL, ROLE_LABEL, ROLES } from '../api/names.ts';
import { at, countAt, labelAt, listAt, readCondition, textAt, textsAt, timeAt } from './fields.ts';
import type { DaemonSet, DaemonSetStatus, NodeTerm, Placement, Requirement, WantedImage } from './snapshot.ts';

/** The API server keeps the template's own count here, for the label of the pods it makes. */
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

/** Takes anything: what is absent or of another type reads as absent. */
export function readDaemonSet(object: unknown): DaemonSet {
  const annotations = textsAt(object, 'metadata', 'annotations');
  const generation = countAt(object, 'metadata', 'generation') ?? 0;
  return {
    namespace: textAt(object, 'metadata', 'namespace'),
    name: textAt(object, 'metadata', 'name'),
    uid: textAt(object, 'metadata', 'uid'),
    generation,
    createdAt: timeAt(object, 'metadata', 'creationTimestamp'),
    deletedAt: timeAt(object, 'metadata', 'deletionTimestamp'),
    role: ROLES.find((role) => role === at(object, 'metadata', 'labels', ROLE_LABEL)),
    component:
      labelAt(object, 'metadata', 'labels', 'component') ??
      textAt(object, 'metadata', 'labels', 'app.kubernetes.io/component'),
    instance: textAt(object, 'metadata', 'labels', 'app.kubernetes.io/instance'),
    annotations,
    imagesLabel: labelAt(object, 'spec', 'template', 'metadata', 'labels', IMAGES_LABEL),
    templateGeneration: annotations.get(TEMPLATE_GENERATION),
    wanted: readWanted(at(object, 'spec', 'template', 'spec')),
    placement: readPlacement(at(object, 'spec', 'template', 'spec')),
    status: readStatus(at(object, 'status')),
    conditions: listAt(object, 'status', 'conditions').map(readCondition),
  };
}

/** Without `observedGeneration` nobody has counted anything, whatever the numbers say. */
function readStatus(status: unknown): DaemonSetStatus {
  return {
    observedGeneration: countAt(status, 'observedGeneration'),
    desired: countAt(status, 'desiredNumberScheduled') ?? 0,
    current: countAt(status, 'currentNumberScheduled') ?? 0,
    misscheduled: countAt(status, 'numberMisscheduled') ?? 0,
  };
}

/**
 * The images a pod of this spec makes a kubelet pull. A regular container named `pause`, as the chart and we name it, only
 * keeps the pod alive beside others; a container that mounts an image volume stands for the volume's image.
 */
export function readWanted(spec: unknown): WantedImage[] {
  const volumes = imageVolumes(spec);
  const read = (init: boolean) => (container: unknown) => ({
    container: textAt(container, 'name'),
    image: imageOf(container, volumes),
    init,
    always: isAlways(container, volumes),
  });
  const inits = listAt(spec, 'initContainers').map(read(true));
  const mains = listAt(spec, 'containers').map(read(false));
  const wanted = [...inits, ...mains.filter(({ container }) => container !== 'pause')];
  return wanted.length > 0 ? wanted : mains;
}

interface ImageVolume {
  image: string;
  always: boolean;
}

/** The volumes of a pod spec that are images, by name. */
export function imageVolumes(spec: unknown): ReadonlyMap<string, ImageVolume> {
  const volumes = listAt(spec, 'volumes').filter((volume) => textAt(volume, 'image', 'reference') !== '');
  return new Map(
    volumes.map((volume) => [
      textAt(volume, 'name'),
      { image: textAt(volume, 'image', 'reference'), always: at(volume, 'image', 'pullPolicy') === 'Always' },
    ]),
  );
}

/** The image a container is there for: that of the first image volume it mounts, else its own. */
export function imageOf(container: unknown, volumes: ReadonlyMap<string, ImageVolume>): string {
  return mounted(container, volumes)?.image ?? textAt(container, 'image');
}

function isAlways(container: unknown, volumes: ReadonlyMap<string, ImageVolume>): boolean {
  return mounted(container, volumes)?.always ?? at(container, 'imagePullPolicy') === 'Always';
}

function mounted(container: unknown, volumes: ReadonlyMap<string, ImageVolume>): ImageVolume | undefined {
  if (volumes.size === 0) return undefined;
  const names = listAt(container, 'volumeMounts').map((mount) => textAt(mount, 'name'));
  const name = names.find((candidate) => volumes.has(candidate));
  return name === undefined ? undefined : volumes.get(name);
}

function readPlacement(spec: unknown): Placement {
  const selector = textsAt(spec, 'nodeSelector');
  const required = at(spec, 'affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution');
  const os = selector.get('kubernetes.io/os') ?? textAt(spec, 'os', 'name');
  return {
    os: os === '' ? 'linux' : os,
    selector,
    terms:
      required === undefined || required === null ? undefined : listAt(required, 'nodeSelectorTerms').map(readTerm),
    tolerations: listAt(spec, 'tolerations').map((entry) => ({
      key: textAt(entry, 'key'),
      operator: textAt(entry, 'operator'),
      value: textAt(entry, 'value'),
      effect: textAt(entry, 'effect'),
    })),
  };
}

function readTerm(term: unknown): NodeTerm {
  return {
    expressions: listAt(term, 'matchExpressions').map(readRequirement),
    fields: listAt(term, 'matchFields').map(readRequirement),
  };
}

/** One requirement of a node selector term. */
function readRequirement(entry: unknown): Requirement {
  const values = listAt(entry, 'values').filter((value) => typeof value === 'string');
  return { key: textAt(entry, 'key'), operator: textAt(entry, 'operator'), values };
}

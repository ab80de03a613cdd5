/** What the judge looks at: of each object only the fields a rule needs, all times in milliseconds since 1970. */
import type { Role } from '../api/names.ts';
import type { Facts } from './facts.ts';

/** One image that a container of the puller makes the kubelet pull. */
export interface WantedImage {
  /** The container that has it, or mounts it as a volume. */
  container: string;
  /** As written in the pod spec. */
  image: string;
  /** An init container: those before it must end first. */
  init: boolean;
  /** imagePullPolicy Always: only the registry's answer proves it. */
  always: boolean;
}

export interface Condition {
  type: string;
  status: string;
  reason: string;
  message: string;
  since: number | undefined;
}

export interface DaemonSetStatus {
  /** undefined: nobody has counted anything yet. */
  observedGeneration: number | undefined;
  desired: number;
  current: number;
  misscheduled: number;
}

export interface DaemonSet {
  namespace: string;
  name: string;
  uid: string;
  generation: number;
  createdAt: number | undefined;
  deletedAt: number | undefined;
  role: Role | undefined;
  /** The chart's own label for what it is. */
  component: string;
  /** The label app.kubernetes.io/instance: Argo CD's with label tracking, else Helm's release. */
  instance: string;
  annotations: ReadonlyMap<string, string>;
  /** The images label of the template. */
  imagesLabel: string | undefined;
  /** What pods of the newest template carry as `pod-template-generation`. */
  templateGeneration: string | undefined;
  wanted: readonly WantedImage[];
  placement: Placement;
  status: DaemonSetStatus;
  conditions: readonly Condition[];
}

/** Which nodes a pod template asks for. */
export interface Placement {
  os: string;
  selector: ReadonlyMap<string, string>;
  /** Terms of the required node affinity: one must hold; undefined asks for nothing. */
  terms: readonly NodeTerm[] | undefined;
  tolerations: readonly Toleration[];
}

export interface NodeTerm {
  expressions: readonly Requirement[];
  fields: readonly Requirement[];
}

export interface Requirement {
  key: string;
  operator: string;
  values: readonly string[];
}

export interface Toleration {
  key: string;
  operator: string;
  value: string;
  effect: string;
}

export interface Taint {
  key: string;
  value: string;
  effect: string;
}

export interface ContainerStatus {
  name: string;
  init: boolean;
  /** The image of the pod's own spec, or of the image volume the container mounts. */
  image: string;
  hasImageId: boolean;
  restarts: number;
  running: boolean;
  endedWell: boolean;
  /** When it first ran or ended, known only while it never restarted. */
  firstRan: number | undefined;
  waiting: { reason: string; message: string } | undefined;
  /** Why its last start failed. */
  failure: string | undefined;
}

export interface Pod {
  namespace: string;
  name: string;
  uid: string;
  ownerUid: string;
  /** The node it is bound to, else the one its affinity names; empty when neither is known. */
  node: string;
  bound: boolean;
  createdAt: number | undefined;
  deletedAt: number | undefined;
  imagesLabel: string | undefined;
  templateGeneration: string | undefined;
  phase: string;
  reason: string;
  message: string;
  scheduled: Condition | undefined;
  /** Condition PodReadyToStartContainers; kubelets before 1.29 do not have it. */
  sandbox: Condition | undefined;
  /** The newest transition of any condition. */
  lastTransition: number | undefined;
  containers: readonly ContainerStatus[];
}

export interface Node {
  name: string;
  createdAt: number | undefined;
  deletedAt: number | undefined;
  labels: ReadonlyMap<string, string>;
  taints: readonly Taint[];
  cordoned: boolean;
  ready: Condition | undefined;
}

export interface Event {
  /** The object it is about. */
  kind: string;
  namespace: string;
  name: string;
  uid: string;
  reason: string;
  message: string;
  first: number | undefined;
  last: number | undefined;
}

export interface Snapshot {
  daemonSet: DaemonSet;
  /** Its pods, and those of other pullers of the namespace: they can prove images too. */
  pods: readonly Pod[];
  /** The Node objects that are known; none has to be. */
  nodes: readonly Node[];
  /** Nodes whose object was asked for and does not exist. */
  goneNodes: readonly string[];
  events: readonly Event[];
  /** Every event of pods that are not done is in `events`, so that a missing one says something. */
  eventsComplete: boolean;
  facts: Facts;
  /** One look without a next one: what stood long enough counts as seen twice, and nothing is taken for new. */
  once: boolean;
}

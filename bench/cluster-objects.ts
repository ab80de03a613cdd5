/** The pullers of the cluster half as `generate` would print them, as far as API server, kubelets and reconciler look. */
import { IMAGES_LABEL, ROLE_LABEL } from '../src/api/names.ts';
import type { Fields } from '../simulator/store.ts';

export const NAMESPACE = 'hub';
/** The name that the API server counts the reconciler's requests under. */
export const RECONCILER = 'prepuller';
export const STANDING = 'continuous-image-puller';
export const STORM = 'hook-image-puller';
/** The second image of both pullers is on the nodes before. */
const TOOLS = 'registry.example/hub/tools:1';

/** Done before a measurement, and renewed one pod at a time: OnDelete leaves the other pods when its generation rises. */
export function standingPuller(): Fields {
  return puller({ name: STANDING, role: 'continuous', image: 'registry.example/hub/user:1', policy: 'Always' });
}

/** What a commit brings: an image that no node has. */
export function stormPuller(): Fields {
  return puller({ name: STORM, role: 'hook', image: stormImage, policy: 'IfNotPresent' });
}

export const stormImage = 'registry.example/hub/user:2';

interface Puller {
  name: string;
  role: 'hook' | 'continuous';
  image: string;
  policy: string;
}

function puller({ name, role, image, policy: imagePullPolicy }: Puller): Fields {
  const labels = { puller: name, [ROLE_LABEL]: role, [IMAGES_LABEL]: `images-of-${role}` };
  const containers = [image, TOOLS].map((one, index) => ({
    name: `image-${index}`,
    image: one,
    imagePullPolicy,
    command: ['/bin/sh', '-c', 'sleep infinity'],
    resources: { requests: { cpu: '0', memory: '0' } },
  }));
  const selector = { matchLabels: { puller: name } };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, namespace: NAMESPACE, labels: { [ROLE_LABEL]: role } },
    spec: {
      selector,
      updateStrategy: { type: 'OnDelete' },
      template: { metadata: { labels }, spec: { containers, terminationGracePeriodSeconds: 0 } },
    },
  };
}

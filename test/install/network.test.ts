/** Who may speak to the controller and to whom it may speak; that Service and budget mean its pods. */
import { join } from 'node:path';
import type { V1NetworkPolicySpec } from '@kubernetes/client-node';
import { CONTROLLER_PARAMETERS } from '../../src/config/controller-parameters.ts';
import { build, find, INSTALL } from './kustomize.ts';
import type { Built } from './kustomize.ts';

describe.each(['controller', 'namespaced'])('the network of %s', (base) => {
  let objects: Built[];
  beforeAll(() => {
    objects = build(join(INSTALL, base));
  });

  test('is open for the web port, names and the API server, and for nothing else', () => {
    const policy = find(objects, 'NetworkPolicy').spec as unknown as V1NetworkPolicySpec;
    const { template } = find(objects, 'Deployment').spec as unknown as {
      template: { metadata: { labels: Record<string, string> } };
    };
    expect(template.metadata.labels).toMatchObject(policy.podSelector?.matchLabels ?? { none: '' });
    expect(policy.policyTypes).toEqual(['Ingress', 'Egress']);
    expect(policy.ingress).toEqual([{ from: [{ namespaceSelector: {} }], ports: [{ protocol: 'TCP', port: 'web' }] }]);
    const [names, apiServer, ...more] = policy.egress ?? [];
    expect(more).toEqual([]);
    expect(names?.to).toEqual([{ namespaceSelector: {} }]);
    expect(new Set(names?.ports?.map(({ port }) => port))).toEqual(new Set([53, 5353]));
    expect(apiServer).toEqual({
      ports: [
        { protocol: 'TCP', port: 443 },
        { protocol: 'TCP', port: 6443 },
      ],
    });
  });

  test('leads to its pods', () => {
    const { selector } = find(objects, 'Deployment').spec as { selector: { matchLabels: Record<string, string> } };
    expect(find(objects, 'Service').spec).toMatchObject({
      selector: selector.matchLabels,
      ports: [{ name: 'web', port: Number(CONTROLLER_PARAMETERS.port.default), targetPort: 'web' }],
    });
    expect(find(objects, 'PodDisruptionBudget').spec).toEqual({ maxUnavailable: 1, selector });
  });
});

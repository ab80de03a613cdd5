/** Settings of the controller: flag before variable before default, all mistakes at once. */
import { CLUSTER_PARAMETERS, CONTROLLER_PARAMETERS } from '../../src/config/controller-parameters.ts';
import { readClusterSettings, readControllerSettings, variableOf } from '../../src/config/controller-settings.ts';
import { UsageError } from '../../src/errors.ts';

const rows = Object.values({ ...CONTROLLER_PARAMETERS, ...CLUSTER_PARAMETERS });

test.each(rows.map((row) => [row.name, row] as const))(
  '%s has words, a variable and a default it takes',
  (name, row) => {
    expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(variableOf(row)).toMatch(/^PREPULLER_[A-Z_]+$/);
    expect(row.tooltip).toMatch(/\.$/);
    if (row.default !== undefined) expect(row.read(row.default)).toBeDefined();
  },
);

test('defaults', () => {
  expect(readControllerSettings({}, {})).toEqual({
    namespaces: [],
    host: '0.0.0.0',
    port: 8080,
    open: 'nothing',
    extensionPort: 8081,
    leaseName: 'argocd-prepuller',
    markNodes: false,
    logLevel: 'info',
    pictureLimit: 180_000,
    stopWithin: 10_000,
  });
});

test('a flag wins over a variable', () => {
  const env = { PREPULLER_PORT: '1', PREPULLER_NAMESPACES: 'hub, lab,', PREPULLER_CONTEXT: 'one' };
  const { port, namespaces, context } = readControllerSettings({ port: ['2'] }, env);
  expect({ port, namespaces, context }).toEqual({ port: 2, namespaces: ['hub', 'lab'], context: 'one' });
});

test('an empty variable is none', () => {
  expect(readClusterSettings({}, { PREPULLER_KUBECONFIG: '' })).toEqual({});
});

test('all mistakes at once', () => {
  const env = { PREPULLER_PORT: '70000', PREPULLER_PICTURE_LIMIT: '0', PREPULLER_LOG_LEVEL: 'inf' };
  const read = (): unknown => readControllerSettings({}, env);
  expect(read).toThrow(UsageError);
  expect(read).toThrow(/^3 mistakes: .*port takes a port.*did you mean info.*picture-limit takes a duration/);
});

test('nodes are marked by whoever sees all pullers', () => {
  expect(readControllerSettings({ 'mark-nodes': ['true'] }, {}).markNodes).toBe(true);
  expect(readControllerSettings({}, { PREPULLER_MARK_NODES: 'true' }).markNodes).toBe(true);
  const some = { PREPULLER_MARK_NODES: 'true', PREPULLER_NAMESPACES: 'hub' };
  expect(() => readControllerSettings({}, some)).toThrow(/mark-nodes needs all namespaces/);
});

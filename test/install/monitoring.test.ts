/** Alerts: series that must and must not raise each of them (test/install/alerts.yaml), by Prometheus' own tool; and what is scraped. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dump, load } from 'js-yaml';
import { ROOT } from '../examples/argo-cd.ts';

interface Rule {
  alert: string;
  expr: string;
}

interface AlertTest {
  alertname: string;
  exp_alerts: unknown[];
}

function read(path: string): unknown {
  return load(readFileSync(join(ROOT, path), 'utf8'));
}

const { spec } = read('install/monitoring/prometheusrule.yaml') as { spec: { groups: { rules: Rule[] }[] } };
const rules = spec.groups.flatMap((group) => group.rules);
const { tests } = read('test/install/alerts.yaml') as { tests: { alert_rule_test: AlertTest[] }[] };
const outcomes = tests.flatMap(({ alert_rule_test: outcome }) => outcome);

const isThere = spawnSync('promtool', ['--version']).status === 0;
if (!isThere && process.env.CI !== undefined) throw new Error('promtool, of Debian’s package prometheus, is not there');
const withPromtool = isThere ? test.each : test.skip.each;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'prepuller-alerts-'));
  writeFileSync(join(folder, 'rules.yaml'), dump(spec));
  copyFileSync(join(ROOT, 'test/install/alerts.yaml'), join(folder, 'alerts.yaml'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

withPromtool([
  ['are rules without a complaint', ['check', 'rules', '--lint=all', '--lint-fatal', 'rules.yaml']],
  ['come and stay away as alerts.yaml says', ['test', 'rules', 'alerts.yaml']],
])('alerts %s (skipped without promtool)', (_what, args) => {
  const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: folder, encoding: 'utf8' });
  expect({ status, stdout, stderr }).toMatchObject({ status: 0, stdout: expect.stringContaining('SUCCESS') as string });
});

test.each(rules.map(({ alert }) => alert))('%s is seen to come and to stay away', (alert) => {
  const own = outcomes.filter(({ alertname }) => alertname === alert);
  expect(own.some(({ exp_alerts: wanted }) => wanted.length > 0)).toBe(true);
  expect(own.some(({ exp_alerts: wanted }) => wanted.length === 0)).toBe(true);
});

test('alerts ask for metrics that there are', () => {
  const files = readdirSync(join(ROOT, 'src/web')).filter((name) => name.endsWith('metrics.ts'));
  const sources = files.map((name) => readFileSync(join(ROOT, 'src/web', name), 'utf8')).join('\n');
  const asked = rules.flatMap(({ expr }) => [...expr.matchAll(/prepull(?:er)?_[a-z_]+/g)].map(([name]) => name));
  expect(asked.length).toBeGreaterThanOrEqual(rules.length);
  for (const name of asked) expect(sources).toContain(`'${name.replace(/_bucket$/, '')}'`);
});

test('what is scraped is a port of the controller', () => {
  const monitor = read('install/monitoring/podmonitor.yaml') as { spec: { podMetricsEndpoints: { port: string }[] } };
  const deployment = read('install/controller/deployment.yaml') as {
    spec: { template: { spec: { containers: { ports: { name: string }[] }[] } } };
  };
  const ports = deployment.spec.template.spec.containers.flatMap((container) =>
    container.ports.map(({ name }) => name),
  );
  for (const { port } of monitor.spec.podMetricsEndpoints) expect(ports).toContain(port);
});

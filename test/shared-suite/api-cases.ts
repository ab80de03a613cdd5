/** What the reconciler relies on in the API itself: status patches, locks, pages, watches (DESIGN section 8). */
import assert from 'node:assert/strict';
import type { WatchQuery } from '../../simulator/api-client.ts';
import type { ApiObject } from '../../simulator/store.ts';
import type { WatchEvent } from '../../simulator/watches.ts';
import type { Bench, Case } from './suite.ts';
import { eventually, expectCounts, getPuller, GOOD, puller, refusal } from './suite.ts';

const CONDITION = {
  type: 'argocd-prepuller.github.io/Pulled',
  status: 'Unknown',
  reason: 'Pulling',
  message: '0 of 1',
};

async function statusPatch(bench: Bench): Promise<void> {
  await bench.client.create(puller(bench.namespace, 'hook', GOOD));
  const before = await expectCounts(bench, 'hook', { desired: 0 });
  const ref = { resource: 'daemonsets', namespace: bench.namespace, name: 'hook' };
  const patch = {
    metadata: { uid: before.metadata.uid, annotations: { 'argocd-prepuller.github.io/verdict': '{}' } },
    spec: { minReadySeconds: 7 },
    status: { conditions: [CONDITION] },
  };
  const patched = await bench.client.patch(ref, patch, { subresource: 'status' });
  assert.equal(patched.metadata.annotations?.['argocd-prepuller.github.io/verdict'], '{}');
  assert.equal(patched.metadata.generation, 1);
  assert.equal(patched.spec?.minReadySeconds, undefined);
  assert.equal(patched.status?.observedGeneration, 1);
  // Conditions merge by type, and survive the controller's own writes.
  const other = { ...CONDITION, type: 'argocd-prepuller.github.io/ObservedGeneration' };
  await bench.client.patch(ref, { status: { conditions: [other] } }, { subresource: 'status' });
  await bench.addNode('a');
  const after = await expectCounts(bench, 'hook', { desired: 1, ready: 1 });
  const types = (after.status?.conditions as { type: string }[]).map(({ type }) => type).sort();
  assert.deepEqual(types, [other.type, CONDITION.type]);
  assert.equal(after.metadata.annotations?.['argocd-prepuller.github.io/verdict'], '{}');
  const resourceVersion = after.metadata.resourceVersion;
  const again = await bench.client.patch(ref, { status: { conditions: [CONDITION] } }, { subresource: 'status' });
  assert.equal(again.metadata.resourceVersion, resourceVersion, 'a patch that changes nothing makes no new version');
}

async function preconditions(bench: Bench): Promise<void> {
  await bench.client.create(puller(bench.namespace, 'hook', GOOD));
  const ref = { resource: 'daemonsets', namespace: bench.namespace, name: 'hook' };
  const uid = '00000000-0000-4000-8000-00000000dead';
  const other = await refusal(bench.client.patch(ref, { metadata: { uid } }, { subresource: 'status' }));
  assert.equal(other.code, 422, 'another UID in a patch is invalid, not a conflict');
  assert.match(other.message, /metadata\.uid: Invalid value: "00000000-.*": field is immutable/);
  const stale = await refusal(
    bench.client.patch(ref, { metadata: { resourceVersion: '1' } }, { subresource: 'status' }),
  );
  assert.equal(stale.code, 409);
  assert.equal(stale.reason, 'Conflict');
  const deletion = await refusal(bench.client.delete(ref, { preconditions: { uid } }));
  assert.equal(deletion.code, 409);
  const read = await getPuller(bench, 'hook');
  const put = await refusal(bench.client.update({ ...read, metadata: { ...read.metadata, resourceVersion: '1' } }));
  assert.equal(put.code, 409);
  const gone = await refusal(bench.client.patch({ ...ref, name: 'absent' }, { metadata: {} }));
  assert.equal(gone.code, 404);
  assert.equal(gone.message, 'daemonsets.apps "absent" not found');
  const twice = await refusal(bench.client.create(puller(bench.namespace, 'hook', GOOD)));
  assert.equal(twice.reason, 'AlreadyExists');
}

async function leases(bench: Bench): Promise<void> {
  const metadata = { name: 'lock', namespace: bench.namespace };
  const spec = { holderIdentity: 'a', leaseDurationSeconds: 15 };
  const lease = await bench.client.create({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec });
  const mine = await bench.client.update({ ...lease, spec: { ...spec, holderIdentity: 'b' } });
  const late = await refusal(bench.client.update({ ...lease, spec: { ...spec, holderIdentity: 'c' } }));
  assert.equal(late.code, 409);
  const blind = { ...mine, metadata: { ...mine.metadata, resourceVersion: '' } };
  assert.equal((await refusal(bench.client.update(blind))).code, 422);
}

async function configMaps(bench: Bench, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const metadata = { name: `m-${String(at)}`, namespace: bench.namespace, labels: { paged: 'true' } };
    await bench.client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
  }
}

async function paging(bench: Bench): Promise<void> {
  await configMaps(bench, 5);
  const query = { namespace: bench.namespace, labelSelector: 'paged=true', limit: 2 };
  const first = await bench.client.list('configmaps', query);
  assert.ok(first.metadata.continue);
  // What happens between two pages does not show in them.
  await bench.client.delete({ resource: 'configmaps', namespace: bench.namespace, name: 'm-3' });
  await bench.client.patch(
    { resource: 'configmaps', namespace: bench.namespace, name: 'm-4' },
    { data: { late: 'x' } },
  );
  const second = await bench.client.list('configmaps', { ...query, continue: first.metadata.continue });
  assert.equal(second.metadata.resourceVersion, first.metadata.resourceVersion);
  const third = await bench.client.list('configmaps', { ...query, continue: second.metadata.continue ?? '' });
  const names = [first, second, third].flatMap(({ items }) => items.map(({ metadata }) => metadata.name));
  assert.deepEqual(names, ['m-0', 'm-1', 'm-2', 'm-3', 'm-4']);
  assert.equal(third.items[0]?.data, undefined);
  assert.equal(third.metadata.continue, undefined);
}

interface Watched {
  events: WatchEvent[];
  ended: boolean;
  stop(): void;
}

function watchMaps({ client, namespace }: Bench, query: WatchQuery): Watched {
  const watched: Watched = { events: [], ended: false, stop: () => undefined };
  watched.stop = client.watch(
    'configmaps',
    { namespace, ...query },
    {
      events: (events) => void watched.events.push(...events),
      end() {
        watched.ended = true;
      },
    },
  );
  return watched;
}

function shown({ events }: Watched): string[] {
  return events
    .filter(({ type }) => type !== 'BOOKMARK')
    .map(({ type, object }) => `${type} ${(object as ApiObject).metadata.name}`);
}

async function watching(bench: Bench): Promise<void> {
  await configMaps(bench, 1);
  const { metadata } = await bench.client.list('configmaps', {
    namespace: bench.namespace,
    labelSelector: 'paged=true',
  });
  const watched = watchMaps(bench, { resourceVersion: metadata.resourceVersion, labelSelector: 'paged=true' });
  const ref = { resource: 'configmaps', namespace: bench.namespace, name: 'm-0' };
  await bench.client.patch(ref, { data: { a: '1' } });
  await bench.client.patch(ref, { metadata: { labels: { paged: 'no' } } });
  await bench.client.patch(ref, { metadata: { labels: { paged: 'true' } } });
  await bench.client.delete(ref);
  await eventually(bench, () => {
    assert.deepEqual(shown(watched), ['MODIFIED m-0', 'DELETED m-0', 'ADDED m-0', 'DELETED m-0']);
    return Promise.resolve();
  });
  const versions = watched.events.map(({ object }) => Number((object as ApiObject).metadata.resourceVersion));
  assert.deepEqual(
    versions,
    [...versions].sort((a, b) => a - b),
  );
  watched.stop();
  // From a version in between, the rest is told again.
  const rest = watchMaps(bench, { resourceVersion: String(versions[1]), labelSelector: 'paged=true' });
  await eventually(bench, () => {
    assert.deepEqual(shown(rest), ['ADDED m-0', 'DELETED m-0']);
    return Promise.resolve();
  });
  rest.stop();
}

async function bookmarks(bench: Bench): Promise<void> {
  const { metadata } = await bench.client.list('configmaps', { namespace: bench.namespace });
  const { resourceVersion } = metadata;
  const watched = watchMaps(bench, { resourceVersion, allowWatchBookmarks: true, timeoutSeconds: 5 });
  await configMaps(bench, 1);
  await eventually(bench, () => {
    assert.ok(watched.ended);
    return Promise.resolve();
  });
  const last = watched.events.at(-1);
  assert.equal(last?.type, 'BOOKMARK');
  const version = Number((last.object as ApiObject).metadata.resourceVersion);
  assert.ok(version > Number(resourceVersion));
  const quiet = watchMaps(bench, { resourceVersion: String(version), timeoutSeconds: 1 });
  await eventually(bench, () => {
    assert.ok(quiet.ended);
    return Promise.resolve();
  });
  assert.deepEqual(quiet.events, []);
}

async function tooOld(bench: Bench): Promise<void> {
  await configMaps(bench, 3);
  const list = await bench.client.list('configmaps', { namespace: bench.namespace });
  await bench.client.delete({ resource: 'configmaps', namespace: bench.namespace, name: 'm-2' });
  await bench.forgetHistory();
  const watched = watchMaps(bench, { resourceVersion: list.metadata.resourceVersion, timeoutSeconds: 10 });
  await eventually(bench, () => {
    assert.ok(watched.ended);
    return Promise.resolve();
  });
  const [event] = watched.events;
  assert.equal(event?.type, 'ERROR');
  assert.equal(event.object.code, 410);
  assert.equal(event.object.reason, 'Expired');
}

async function unknownFields(bench: Bench): Promise<void> {
  const error = await refusal(
    bench.client.list('pods', { namespace: bench.namespace, fieldSelector: 'spec.nowhere=x' }),
  );
  assert.equal(error.code, 400);
  assert.equal(error.message, 'field label not supported: spec.nowhere');
  const { items } = await bench.client.list('configmaps', {
    namespace: bench.namespace,
    fieldSelector: 'metadata.name=kube-root-ca.crt',
  });
  assert.ok(items.length <= 1);
}

async function probes(bench: Bench): Promise<void> {
  for (const path of ['/livez', '/readyz']) assert.deepEqual(await bench.client.raw(path), { code: 200, body: 'ok' });
  const { code, body } = await bench.client.raw('/version');
  assert.equal(code, 200);
  assert.equal((body as { minor: string }).minor, '34');
}

export const API_CASES: readonly Case[] = [
  { name: 'a status patch: conditions merge and survive, annotations are taken, the spec is not', run: statusPatch },
  { name: 'locks: another UID is invalid, another version a conflict', run: preconditions },
  { name: 'a Lease is only written by who read it last', run: leases },
  { name: 'pages of a list show the state of the first', run: paging },
  { name: 'a watch: what stops to match is deleted, versions grow, the rest can be asked for again', run: watching },
  { name: 'a bookmark comes before a watch ends and is a version to go on from', run: bookmarks },
  { name: 'a watch from a version that is forgotten ends with 410', run: tooOld },
  { name: 'a field that cannot be selected by is refused', run: unknownFields },
  { name: 'probes and version', run: probes },
];

/** etcd's own HTTP gateway, for the one thing the API server has no request for. */

/** Drops every version but the newest of everything. */
export async function compact(url: string): Promise<void> {
  const { header } = (await post(`${url}/v3/kv/range`, { key: btoa('compact') })) as { header: { revision: string } };
  await post(`${url}/v3/kv/compaction`, { revision: header.revision, physical: true });
}

async function post(url: string, body: object): Promise<unknown> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`etcd answered ${response.status} to ${new URL(url).pathname}`);
  return response.json();
}

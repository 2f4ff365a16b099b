// node packages/embedded-cluster/test/api-server/tables/record-columns.ts: writes the columns of the tables that a kube-apiserver 1.34.4 answered in the
// recorded exchanges, by collection, as the embedded API server reads them.
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { servedAt } from '../../../src/api-server/served.ts';
import { exchanges } from '../differential/exchanges.ts';

type Json = Readonly<Record<string, unknown>>;

const out = new URL('../../../src/api-server/tables/columns.json.gz', import.meta.url);
const before = gunzipSync(readFileSync(out)).toString('utf8');
// What was recorded before stays: not every recording of it is kept.
const columns = JSON.parse(before) as Record<string, unknown>;
for (const { path, answer } of (['cluster', 'alone', 'infra', 'blog'] as const).flatMap(exchanges)) {
  const body = (Array.isArray(answer.body) ? answer.body[0]?.object : answer.body) as Json;
  const collection = collectionAt(path);
  if (body?.kind === 'Table' && collection !== undefined) columns[collection] ??= body.columnDefinitions;
}
const text = JSON.stringify(Object.fromEntries(Object.entries(columns).toSorted(([a], [b]) => (a < b ? -1 : 1))));
if (text !== before) writeFileSync(out, gzipSync(text, { level: 9 }));

function collectionAt(path: string): string | undefined {
  const [, root, ...parts] = new URL(path, 'http://api').pathname.split('/');
  const apiVersion = parts.splice(0, root === 'api' ? 1 : 2).join('/');
  const [, , inNamespace] = parts[0] === 'namespaces' ? parts : [];
  return servedAt(apiVersion, inNamespace ?? parts[0] ?? '')?.collection;
}

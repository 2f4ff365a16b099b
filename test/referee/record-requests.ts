// node test/referee/record-requests.ts KUBECONFIG REQUESTS.jsonl EXCHANGES.jsonl.gz: sends the requests, one a line, to
// a kube-apiserver beside which nothing acts, and keeps what it answered, as the tests compare it
// (docs/real-cluster.md).
import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Answering } from '../../packages/embedded-cluster/src/listen/api-endpoint.ts';
import { comparable } from '../../packages/embedded-cluster/test/api-server/differential/comparable.ts';
import type { Exchange } from '../../packages/embedded-cluster/test/api-server/differential/exchanges.ts';
import { replayTo } from '../../packages/embedded-cluster/test/api-server/differential/replay.ts';
import { readCredentials } from '../../src/cluster/credentials.ts';
import { nodeHost } from '../../src/host/node.ts';

const [kubeconfig = '', requests = '', exchanges = ''] = process.argv.slice(2);
const host = nodeHost();
const { access } = await readCredentials(host, { kubeconfig, environment: {} });
await access.headers?.(false);
const tls = (typeof access.tls === 'function' ? access.tls() : access.tls) ?? {};

/** The user of the kubeconfig has a certificate, and needs no token. */
const server: Answering = (request, signal) => {
  const { authorization: _, ...headers } = request.headers ?? {};
  const { pathname, search } = new URL(request.url);
  return host.http({ ...request, url: `${access.server}${pathname}${search}`, headers, tls }, signal);
};

const lines = readFileSync(requests, 'utf8').trimEnd().split('\n');
const sent = lines.map((line) => ({ ...JSON.parse(line), answer: { status: 0, body: '' } }) as Exchange);
const replayed = await replayTo({ server, sleep: (seconds, signal) => host.clock.sleep(seconds, signal) }, sent);
const kept = replayed.map(({ exchange, answer }) => JSON.stringify({ ...exchange, answer: comparable(answer) }));
writeFileSync(exchanges, gzipSync(`${kept.join('\n')}\n`, { level: 9 }));
console.log(`${kept.length} exchanges`);

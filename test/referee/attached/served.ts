import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createApiServer } from '../../../packages/embedded-cluster/src/api-server/api-server.ts';
import { serveApi } from '../../../packages/embedded-cluster/src/listen/api-endpoint.ts';
import { randomStreams } from '../../../packages/embedded-cluster/src/outside/random.ts';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import type { Kind, Kinds } from '../../../src/cluster/kinds.ts';
import { nodeHost } from '../../../src/host/node.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { playKubelets } from './kubelets.ts';

/** The embedded API server in real time, over TLS; beside it kubelets that are played, and no controller. */
export interface ServedAlone {
  readonly cluster: Cluster;
  /** The path of the administrator's. */
  readonly kubeconfig: string;
  readonly folder: string;
  /** Aborted at the end of the test. */
  readonly signal: AbortSignal;
  /** Every request that was refused with 400, 415, 422 or a 5xx: what a client asked that the server did not take. */
  readonly refused: readonly string[];
}

const refusedCodes = new Set([400, 405, 406, 415, 422]);

export async function servedAlone(t: TestContext): Promise<ServedAlone> {
  const { clock } = nodeHost();
  const server = createApiServer({ clock, random: randomStreams('attached') });
  const refused: string[] = [];
  const api: typeof server.handle = async (request, signal) => {
    const response = await server.handle(request, signal);
    if (refusedCodes.has(response.status) || response.status >= 500)
      refused.push(`${response.status} ${request.method} ${new URL(request.url).pathname}`);
    return response;
  };
  const endpoint = await serveApi({ world: { api }, at: clock.wallAt() });
  const ended = new AbortController();
  t.after(() => {
    ended.abort();
    endpoint.close();
  });
  const cluster = server.cluster('test');
  const kubelets = playKubelets(cluster, ended.signal);
  t.after(() => kubelets);
  const folder = temporaryFolder(t);
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, endpoint.kubeconfig, { mode: 0o600 });
  return { cluster, kubeconfig, folder, signal: ended.signal, refused };
}

/** Waits until it holds of the objects of a kind. It fails after that many seconds, with what is there then. */
export async function until<K extends Kind>(
  cluster: Cluster,
  kind: K,
  holds: (objects: readonly Kinds[K][]) => boolean,
  seconds = 120,
): Promise<void> {
  const signal = AbortSignal.timeout(1000 * seconds);
  for await (const _ of cluster.watch(kind, {}, signal)) if (holds(await cluster.list(kind))) return;
  throw new Error(`not after ${seconds} s: ${JSON.stringify(await cluster.list(kind), undefined, 1)}`);
}

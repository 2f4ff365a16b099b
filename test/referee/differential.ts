import type { Answering } from '../../packages/embedded-cluster/src/listen/api-endpoint.ts';
import { comparable, differences } from '../../packages/embedded-cluster/test/api-server/differential/comparable.ts';
import { exchanges } from '../../packages/embedded-cluster/test/api-server/differential/exchanges.ts';
import { listed } from '../../packages/embedded-cluster/test/api-server/differential/listed.ts';
import {
  type Replayed,
  replay,
  replayTo,
} from '../../packages/embedded-cluster/test/api-server/differential/replay.ts';
import { readCredentials } from '../../src/cluster/credentials.ts';
import { nodeHost } from '../../src/host/node.ts';
import { type Kit, kubeconfig } from './kit.ts';

export interface Beside {
  /** Answered alike by the real server today and by the embedded one. */
  readonly alike: number;
  readonly otherCode: number;
  /** Answered alike by the real server today and on the day of the recording: what differs is its own noise. */
  readonly asRecorded: number;
  readonly requests: number;
  /** Those that differ today, did not differ from the recording, and are not listed. */
  readonly unexplained: readonly string[];
}

/** Sends the recorded requests to the real server and to the embedded one. The namespace `difftest` must not exist. */
export async function besideRealServer(kit: Kit): Promise<Beside> {
  // The embedded one first: its clock takes what is left of real connections for work that nobody awaits.
  const ours = await replay(exchanges());
  const real = await replayToReal(kit);
  const { requests } = listed();
  const pairs = real.map((one, number) => ({ one, number, other: ours[number] as Replayed }));
  const unlike = pairs.filter(({ one, other }) => differences(answered(one), answered(other)).length > 0);
  const unexplained = unlike.filter(
    ({ one, other, number }) => other.differences.length === 0 && one.differences.length > 0 && !(number in requests),
  );
  return {
    requests: real.length,
    alike: real.length - unlike.length,
    otherCode: pairs.filter(({ one, other }) => one.answer.status !== other.answer.status).length,
    asRecorded: real.filter((one) => one.differences.length === 0).length,
    unexplained: unexplained.map(
      ({ one, number }) => `#${number} ${one.exchange.method} ${one.exchange.path}: ${one.differences[0]?.path}`,
    ),
  };
}

function answered({ answer }: Replayed): unknown {
  const { status, type, warning, retryAfter, body } = comparable(answer);
  return { status, type, warning, retryAfter, body };
}

/** The user of the kubeconfig has a certificate; a request without credentials is sent without it. */
async function replayToReal(kit: Kit): Promise<readonly Replayed[]> {
  const host = nodeHost();
  const { access } = await readCredentials(host, { kubeconfig: await kubeconfig(kit), environment: {} });
  await access.headers?.(false);
  const tls = (typeof access.tls === 'function' ? access.tls() : access.tls) ?? {};
  const anonymous = tls.ca === undefined ? {} : { ca: tls.ca };
  const server: Answering = (request, signal) => {
    const { authorization, ...headers } = request.headers ?? {};
    const { pathname, search } = new URL(request.url);
    const as = authorization === undefined ? anonymous : tls;
    return host.http({ ...request, url: `${access.server}${pathname}${search}`, headers, tls: as }, signal);
  };
  return replayTo({ server, sleep: (seconds, signal) => host.clock.sleep(seconds, signal) }, exchanges());
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { streamResponse, textResponse } from '../../packages/embedded-cluster/src/api-server/responses.ts';
import { virtualClock } from '../../packages/embedded-cluster/src/time/clock.ts';
import { connect } from '../../src/cluster/client.ts';
import { OperationError } from '../../src/host/errors.ts';
import type { HttpRequest, HttpResponse } from '../../src/host/host.ts';

const startAt = Date.parse('2026-01-01T10:00:00Z');

/** One line every half second, of which each response sends those since `sinceTime`. */
const lineAt = (index: number): string =>
  `${new Date(startAt + 500 * index).toISOString().slice(0, -1)}000000Z sample ${index}\n`;

interface Scene {
  readonly requests: URL[];
  /** How long a connection lasts, in seconds, and how it ends. */
  readonly connections: readonly { readonly seconds: number; readonly end: 'closed' | 'reset' | 'silent' }[];
}

/** The lines that a follower gets in so many seconds. */
async function followed({ requests, connections }: Scene, seconds: number): Promise<string[]> {
  const clock = virtualClock(startAt);
  const http = async ({ url }: HttpRequest, signal?: AbortSignal): Promise<HttpResponse> => {
    requests.push(new URL(url));
    const { seconds: lasts, end } = connections[requests.length - 1] ?? { seconds: 1e6, end: 'closed' };
    const since = Date.parse(new URL(url).searchParams.get('sinceTime') ?? new Date(startAt).toISOString());
    const endsAt = clock.wallAt() + 1000 * lasts;
    const gone = new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    gone.catch(() => undefined);
    const ended: Readonly<Record<typeof end, () => Promise<never> | undefined>> = {
      closed: () => undefined,
      reset: () => Promise.reject(new OperationError({ tried: 'reading', on: url, reason: 'ECONNRESET' })),
      silent: () => gone,
    };
    const pieces = async function* () {
      for (let next = Math.ceil((since - startAt) / 500); ; next += 1) {
        await Promise.race([clock.sleep(Math.max(0, startAt + 500 * next - clock.wallAt()) / 1000), gone]);
        if (clock.wallAt() >= endsAt) return await ended[end]();
        yield lineAt(next);
      }
    };
    return streamResponse(pieces(), () => {}, {});
  };
  const stop = new AbortController();
  const lines: string[] = [];
  await clock.run(async () => {
    const cluster = connect({ http, clock }, { server: 'https://api' });
    const following = (async () => {
      for await (const line of cluster.podLog({ namespace: 'default', name: 'probe' }, stop.signal)) lines.push(line);
    })();
    await clock.sleep(seconds);
    stop.abort(new OperationError({ tried: 'x', on: 'y', reason: 'stopped' }));
    await following;
  });
  return lines;
}

const samples = (count: number): string[] => Array.from({ length: count }, (_, index) => `sample ${index}`);

test('a log that the server ends or the network cuts goes on without a lost or a double line', async () => {
  const requests: URL[] = [];
  const connections = [
    { seconds: 3.2, end: 'closed' },
    { seconds: 4, end: 'reset' },
    { seconds: 0, end: 'reset' },
  ] as const;
  const lines = await followed({ requests, connections }, 30.2);
  assert.deepEqual(lines, samples(61));
  assert.equal(requests.length, 4);
  assert.equal(requests[0]?.pathname, '/api/v1/namespaces/default/pods/probe/log');
  assert.equal(requests[0]?.searchParams.get('sinceTime'), null);
  assert.equal(requests[1]?.searchParams.get('sinceTime'), '2026-01-01T10:00:03.000Z', 'whole seconds');
});

test('a connection that is dead without a word is taken up again after 30 s, and its lines come then', async () => {
  const requests: URL[] = [];
  const lines = await followed({ requests, connections: [{ seconds: 5, end: 'silent' }] }, 60.2);
  assert.deepEqual(lines, samples(121));
  assert.equal(requests.length, 2);
});

test('a container that has not started is asked again; a pod that is gone ends the log', async () => {
  const clock = virtualClock(startAt);
  const answers = [400, 503, 404].map((status) => textResponse(status, () => `{"message":"it is ${status}"}`, {}));
  let asked = 0;
  const http = async (): Promise<HttpResponse> => answers[Math.min(asked++, 2)] as HttpResponse;
  await clock.run(async () => {
    const cluster = connect({ http, clock }, { server: 'https://api' });
    const log = cluster.podLog({ namespace: 'default', name: 'probe' }, new AbortController().signal);
    await assert.rejects(Array.fromAsync(log), /follow the log of Pod default\/probe: 404 : it is 404/);
  });
  assert.equal(asked, 3);
  assert.equal(clock.wallAt(), startAt + 2000);
});

import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { nodeHost } from '../../../../../src/host/node.ts';
import { manifests } from '../../../../../src/validation/manifests/manifests.ts';
import { validationSchema } from '../../../../../src/validation/settings.ts';
import type { Deployment } from '../../../src/kubernetes/resources.ts';
import { serveHttp } from '../../../src/listen/http-endpoint.ts';
import { realTimeWorld } from '../../../src/listen/real-time-world.ts';
import { healthy } from '../../../src/setup/setup.ts';
import type { World } from '../../../src/world/world.ts';
import { settledWorld } from '../../support/settled-world.ts';
import { recordedKinds } from '../differential/recorded-kinds.ts';
import { deployment } from '../in-api.ts';
import { hostileClient } from './client.ts';
import { hostileRequests } from './requests.ts';
import { targetsOf } from './targets.ts';

export interface Attack {
  readonly seed: number;
  readonly requests: number;
  /** Called after each request. */
  readonly after?: (count: number) => Promise<void>;
}
/** How many answers had each status code. */
export type Answers = ReadonlyMap<number, number>;

/** An embedded cluster in real time, with its controllers, behind a socket. */
export interface Attacked {
  /**
   * Sends that many hostile requests, one after the other; fails at the first without a fit answer, and prints the
   * seed.
   */
  attack(attack: Attack): Promise<Answers>;
  /** Fails if the cluster no longer does what a cluster does: a new Deployment gets a ReplicaSet. */
  requireAlive(): Promise<void>;
  /** Leaves every watch, and returns the bytes of the heap that are in use after a garbage collection. */
  restingHeapBytes(): Promise<number>;
  close(): void;
}

const answersWithinSeconds = 20;
const racesKept = 100;

export async function attackedCluster(): Promise<Attacked> {
  const { clock } = nodeHost();
  const seed = 'hostile';
  const first = { seconds: 60, make: everyKind };
  const saved = await settledWorld({ seed, setup: healthy, endsAt: clock.wallAt(), first });
  const real = await realTimeWorld({ clock, seed, setup: healthy, saved });
  const { world } = real;
  const endpoint = await serveHttp({ origin: 'https://127.0.0.1', answer: world.api });
  const client = hostileClient(endpoint.port, answersWithinSeconds);
  const targets = await targetsOf(world.api);

  return {
    attack: async ({ seed: number, requests, after }) => {
      // A race keeps its winner as long as the loser lives: one with the world's end would keep every answer.
      let { promise: ended, reject } = Promise.withResolvers<never>();
      world.failure.catch((error) => reject(error));
      const codes = new Map<number, number>();
      let count = 0;
      const property = fc.asyncProperty(hostileRequests(targets), async (request) => {
        const { status, text } = await Promise.race([ended, client.answerTo(request)]);
        requireFit(status, text);
        codes.set(status, (codes.get(status) ?? 0) + 1);
        count += 1;
        if (count % racesKept === 0) ({ promise: ended, reject } = Promise.withResolvers<never>());
        await after?.(count);
      });
      await fc.assert(property, { seed: number, numRuns: requests, endOnFailure: true });
      return codes;
    },
    requireAlive: () => Promise.race([world.failure, requireAlive(world)]),
    restingHeapBytes: async () => {
      client.leaveWatches();
      collectGarbage();
      return process.memoryUsage().heapUsed;
    },
    close: () => {
      client.close();
      endpoint.close();
      real.close();
    },
  };
}

/** The application, and an object of each kind that an application brings. */
async function everyKind({ apiServer, api }: World): Promise<void> {
  const cluster = apiServer.cluster('test');
  for (const object of manifests(validationSchema.parse({}))) await cluster.apply(object, { fieldManager: 'test' });
  for (const { path, sent } of recordedKinds()) {
    const headers = { 'content-type': 'application/json' };
    const response = await api({ method: 'POST', url: `http://api${path}`, headers, body: JSON.stringify(sent) });
    assert.equal(response.status, 201, await response.text());
  }
}

/** An answer that HTTP allows, and no fault of our own in it: such a one has the reason InternalError. */
function requireFit(status: number, text: string): void {
  assert.ok(status >= 200 && status <= 599, `status ${status}`);
  assert.doesNotMatch(text, /"reason":"InternalError"/);
}

async function requireAlive({ apiServer }: World): Promise<void> {
  const cluster = apiServer.cluster('test');
  const namespace = `alive-${Math.floor(performance.now())}`;
  await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const made: Deployment = await cluster.create({ ...deployment(), metadata: { name: 'alive', namespace } });
  assert.equal(made.spec.replicas, 2);
  const signal = AbortSignal.timeout(1000 * answersWithinSeconds);
  for await (const _ of cluster.watch('ReplicaSet', { namespace }, signal))
    if ((await cluster.list('ReplicaSet', { namespace })).length > 0) return;
  assert.fail('the controller of Deployments no longer acts');
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

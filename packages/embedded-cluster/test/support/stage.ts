import assert from 'node:assert/strict';
import { createApiServer } from '../../src/api-server/api-server.ts';
import type { Cluster } from '../../src/kubernetes/cluster.ts';
import type { Resource } from '../../src/kubernetes/kinds.ts';
import { createMachines, type Machines } from '../../src/machines/machines.ts';
import { createCache } from '../../src/objects/cache.ts';
import { randomStreams } from '../../src/outside/random.ts';
import type { Controller } from '../../src/setup/site.ts';
import { type VirtualClock, virtualClock } from '../../src/time/clock.ts';
import { delays, draw } from '../../src/time/delays.ts';
import { watchedKinds } from '../../src/world/watched-kinds.ts';

/** Some controllers with an API server that has some objects, machines without instances, and virtual time. */
export interface Stage {
  readonly cluster: Cluster;
  readonly machines: Machines;
  readonly clock: VirtualClock;
  /** Waits until the condition holds; returns the seconds that took, to a hundredth. Fails after 15 virtual minutes. */
  readonly until: (condition: () => Promise<boolean>) => Promise<number>;
}

const longestWaitSeconds = 900;
const epochMs = Date.parse('2026-01-01T00:00:00Z');

/** Creates the objects with their status, starts the controllers, and plays. */
export async function onStage(
  controllers: readonly Controller[] | ((machines: Machines) => readonly Controller[]),
  before: readonly Resource[],
  play: (stage: Stage) => Promise<void>,
): Promise<void> {
  const clock = virtualClock(epochMs, { stallTimeoutSeconds: 5 });
  const ended = new AbortController();
  const { promise: broken, reject: failed } = Promise.withResolvers<never>();
  const random = randomStreams('stage');
  const now = () => clock.wallAt();
  const machines = createMachines({
    now,
    region: 'us-east-1',
    random: random('machines'),
    delay: (name) => draw(delays[name], random('machines')),
  });
  const apiServer = createApiServer({ clock, random });
  const cluster = withKnownNodes(apiServer.cluster('test'));
  try {
    await clock.run(async () => {
      for (const object of before) await put(cluster, object);
      const cache = await createCache(cluster, watchedKinds, ended.signal, failed);
      for (const controller of typeof controllers === 'function' ? controllers(machines) : controllers) {
        const drawn = random(controller.name);
        const site = {
          cluster: apiServer.cluster(controller.name),
          cache,
          now,
          after: (seconds: number, work: () => void) =>
            void clock.sleep(seconds, ended.signal).then(work, () => undefined),
          random: drawn,
          delay: (name: keyof typeof delays) => draw(delays[name], drawn),
          running: () => true,
          failed,
        };
        controller.run(site, ended.signal);
      }
      await Promise.race([broken, play({ cluster, machines, clock, until: (condition) => until(clock, condition) })]);
    });
    assert.deepEqual([...clock.unheld], []);
  } finally {
    ended.abort();
    clock.close();
  }
}

/**
 * A new Node has the taints that it was given alone: on a stage no controller takes away the one that admission adds
 * until its conditions are known.
 */
function withKnownNodes(cluster: Cluster): Cluster {
  return {
    ...cluster,
    create: async (resource) => {
      const created = await cluster.create(resource);
      if (resource.kind !== 'Node') return created;
      const value = { spec: { taints: resource.spec?.taints ?? null } };
      return (await cluster.patch('Node', resource.metadata, { type: 'merge', value })) as typeof created;
    },
  };
}

async function put(cluster: Cluster, object: Resource): Promise<void> {
  await cluster.create(object);
  if (!('status' in object) || object.status === undefined) return;
  const { name, namespace } = object.metadata;
  const value = { status: object.status };
  await cluster.patch(
    object.kind,
    namespace === undefined ? { name } : { name, namespace },
    { type: 'merge', value },
    { subresource: 'status' },
  );
}

async function until(clock: VirtualClock, condition: () => Promise<boolean>): Promise<number> {
  const startedAtSeconds = clock.monotonicSeconds();
  while (!(await condition())) {
    assert.ok(
      clock.monotonicSeconds() - startedAtSeconds < longestWaitSeconds,
      'the condition does not hold after 15 minutes',
    );
    await clock.sleep(0.01);
  }
  return clock.monotonicSeconds() - startedAtSeconds;
}

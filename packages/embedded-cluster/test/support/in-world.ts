import assert from 'node:assert/strict';
import type { Cluster } from '../../src/kubernetes/cluster.ts';
import type { Pod } from '../../src/kubernetes/resources.ts';
import type { PodSpec } from '../../src/kubernetes/specs.ts';
import { randomStreams } from '../../src/outside/random.ts';
import type { Setup } from '../../src/setup/setup.ts';
import { type VirtualClock, virtualClock } from '../../src/time/clock.ts';
import { createWorld, type SavedWorld, type World, type WorldOptions } from '../../src/world/world.ts';
import * as objects from './objects.ts';
import { type Visit, visitor } from './visitor.ts';

export interface InWorld {
  readonly world: World;
  readonly clock: VirtualClock;
  readonly cluster: Cluster;
  /** Visits the application once a second until `work` has ended; returns the visits in the order of their starts. */
  readonly watched: (work: () => Promise<void>, connection?: 'new' | 'reused') => Promise<readonly Visit[]>;
  readonly scale: (replicas: number) => Promise<unknown>;
  readonly pods: () => Promise<readonly Pod[]>;
}

const epochMs = Date.parse('2026-01-01T00:00:00Z');
const place = { name: 'nginx-test', namespace: 'default' };

/** Plays in a world of that seed, new or saved, in virtual time. An error in a part of the world fails the test. */
export async function inWorld<T>(
  options: { readonly seed: string } & Pick<WorldOptions, 'saved'> & Partial<WorldOptions>,
  play: (it: InWorld) => Promise<T>,
): Promise<T> {
  const { seed, ...rest } = options;
  const clock = virtualClock(rest.saved?.at ?? epochMs, { stallTimeoutSeconds: 10 });
  const random = randomStreams(seed);
  const world = createWorld({ clock, random, ...rest });
  const cluster = world.apiServer.cluster('test');
  const phaseSeconds = random('test-phase')();
  try {
    return await clock.run(() =>
      Promise.race([
        world.failure,
        world.start().then(() =>
          play({
            world,
            clock,
            cluster,
            watched: (work, connection = 'new') => watch({ world, clock, phaseSeconds, connection }, work),
            scale: (replicas) => cluster.patch('Deployment', place, { type: 'merge', value: { spec: { replicas } } }),
            pods: () => cluster.list('Pod', { namespace: 'default', labelSelector: 'app=nginx-test' }),
          }),
        ),
      ]),
    );
  } finally {
    world.close();
    clock.close();
    assert.deepEqual([...clock.unheld], []);
  }
}

/** A saved world in which the application runs. */
export function withApplication(
  seed: string,
  { spec = objects.hardenedPod, replicas = 2, setup }: { spec?: PodSpec; replicas?: number; setup?: Setup } = {},
): Promise<SavedWorld> {
  return inWorld({ seed, saved: undefined, setup }, async ({ world, clock, cluster, pods }) => {
    const application = [
      objects.nodePool,
      objects.deployment(replicas, spec),
      objects.service,
      objects.ingress,
      objects.budget,
    ];
    for (const object of application) await cluster.apply(setup?.admit(object) ?? object, { fieldManager: 'test' });
    await clock.sleep(330);
    assert.equal((await pods()).filter(({ status }) => status?.phase === 'Running').length, replicas);
    return JSON.parse(JSON.stringify(world.save())) as SavedWorld;
  });
}

interface Watching extends Pick<InWorld, 'world' | 'clock'> {
  readonly phaseSeconds: number;
  readonly connection: 'new' | 'reused';
}

async function watch(
  { world, clock, phaseSeconds, connection }: Watching,
  work: () => Promise<void>,
): Promise<readonly Visit[]> {
  const visit = visitor(clock, world, connection === 'reused');
  const samples: Promise<Visit>[] = [];
  let isOver = false;
  const monitor = async () => {
    await clock.sleep(phaseSeconds);
    while (!isOver) {
      samples.push(visit());
      await clock.sleep(1);
    }
  };
  const watching = monitor();
  await work();
  isOver = true;
  await watching;
  return Promise.all(samples);
}

/** Whether the monitor calls the sample bad: failed, or slower than a second. */
export const isBad = ({ status, seconds, isWelcome }: Visit): boolean => status !== 200 || seconds > 1 || !isWelcome;

/**
 * The length of each outage in whole seconds, from the start of its first bad sample to the start of the next good one.
 */
export function outages(samples: readonly Visit[]): readonly number[] {
  const lengths: number[] = [];
  let since: number | undefined;
  for (const sample of samples) {
    if (isBad(sample)) since ??= sample.at;
    else if (since !== undefined) {
      lengths.push(Math.round((sample.at - since) / 1000));
      since = undefined;
    }
  }
  return since === undefined ? lengths : [...lengths, Number.POSITIVE_INFINITY];
}

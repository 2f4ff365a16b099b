import type { Cluster } from '../../src/kubernetes/cluster.ts';
import type { Kind, Resource } from '../../src/kubernetes/kinds.ts';
import { randomStreams } from '../../src/outside/random.ts';
import { healthy, type Setup } from '../../src/setup/setup.ts';
import { type VirtualClock, virtualClock } from '../../src/time/clock.ts';
import type { Delay, DelayName } from '../../src/time/delays.ts';
import { createWorld } from '../../src/world/world.ts';
import { application, poolName } from './application.ts';
import type { Scenario } from './scenarios.ts';
import { type Seen, type Step, stepsOf } from './steps.ts';

const kinds: readonly Kind[] = ['NodePool', 'NodeClaim', 'Node', 'Pod', 'PodDisruptionBudget', 'Event'];
/** Steps that come late here are seen too, and told as late. */
const longerSeconds = 40;

/** The steps of the scenario in an embedded cluster of that seed, until some time after the recording's end. */
export async function played(
  { before, prepare, deed, delays, replicas, restSeconds = 45 }: Scenario,
  seconds: number,
  seed: string,
): Promise<readonly Step[]> {
  const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'), { stallTimeoutSeconds: 60 });
  const world = createWorld({ clock, random: randomStreams(seed), setup: withDelays(delays) });
  const cluster = world.apiServer.cluster('test');
  const seen: Seen[] = [];
  const ended = new AbortController();
  try {
    return await clock.run(() => Promise.race([world.failure, play()]));
  } finally {
    ended.abort();
    world.close();
    clock.close();
  }

  async function play(): Promise<readonly Step[]> {
    await world.start();
    for (const kind of kinds) void watch(cluster, kind, clock, seen, ended.signal);
    for (const object of application(before)) await cluster.apply(object as Resource, { fieldManager: 'test' });
    await untilReady(cluster, clock, replicas);
    // Karpenter's polls have no relation to the deed.
    await clock.sleep(restSeconds + 10 * randomStreams(seed)('deed')());
    const place = { cluster, sleep: (time: number) => clock.sleep(time) };
    await prepare?.(place);
    const deedAt = clock.monotonicSeconds();
    await deed(place);
    await clock.sleep(seconds + longerSeconds + deedAt - clock.monotonicSeconds());
    return stepsOf(seen, poolName, deedAt);
  }
}

async function watch(
  cluster: Cluster,
  kind: Kind,
  clock: VirtualClock,
  seen: Seen[],
  signal: AbortSignal,
): Promise<void> {
  const types = { added: 'ADDED', modified: 'MODIFIED', deleted: 'DELETED' } as const;
  for await (const change of cluster.watch(kind, {}, signal))
    if (change.type in types)
      seen.push({
        at: clock.monotonicSeconds(),
        type: types[change.type as keyof typeof types],
        object: (change as { object: unknown }).object,
      });
}

async function untilReady(cluster: Cluster, clock: VirtualClock, replicas: number): Promise<void> {
  for (let seconds = 0; seconds < 300; seconds += 1) {
    const pods = await cluster.list('Pod', { namespace: 'default', labelSelector: 'app=web' });
    const ready = pods.filter(({ status }) =>
      status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True'),
    );
    if (ready.length === replicas) return;
    await clock.sleep(1);
  }
  throw new Error(`${replicas} pods were not ready within 300 s`);
}

function withDelays(own: Partial<Record<DelayName, Delay['seconds']>>): Setup {
  const recorded = Object.entries(own).map(([name, seconds]) => [name, { seconds, source: 'the recording' }] as const);
  return { ...healthy, delays: { ...healthy.delays, ...Object.fromEntries(recorded) } };
}

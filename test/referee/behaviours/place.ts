import type { Delay, DelayName } from '@holdfast/embedded-cluster';
import { randomStreams } from '../../../packages/embedded-cluster/src/outside/random.ts';
import { healthy, type Setup } from '../../../packages/embedded-cluster/src/setup/setup.ts';
import { virtualClock } from '../../../packages/embedded-cluster/src/time/clock.ts';
import { createWorld } from '../../../packages/embedded-cluster/src/world/world.ts';
import { nodeHost } from '../../../src/host/node.ts';
import { type Api, apiBy, apiOf } from '../api.ts';
import { type Kit, kubeconfig } from '../kit.ts';
import { askAws } from '../read-state.ts';

/** A cluster in which a behaviour is played, real or embedded: the same requests and the same deeds. */
export interface Place {
  readonly side: 'real' | 'embedded';
  readonly api: Api;
  /** Since some moment of its own. */
  readonly seconds: () => number;
  readonly sleep: (seconds: number) => Promise<void>;
  /** EC2's TerminateInstances. */
  readonly terminate: (instanceId: string) => Promise<void>;
}

/** The real cluster of the kit, which is up. */
export async function realPlace(kit: Kit): Promise<Place> {
  const host = nodeHost();
  return {
    side: 'real',
    api: await apiOf(host, await kubeconfig(kit)),
    seconds: () => host.clock.monotonicSeconds(),
    sleep: (seconds) => host.clock.sleep(seconds),
    terminate: async (id) => void (await askAws(kit, 'ec2', '/', terminateForm(id))),
  };
}

const terminateForm = (id: string): string => `Action=TerminateInstances&Version=2016-11-15&InstanceId.1=${id}`;

/** Plays in a new embedded cluster of that seed, whose machines start as slowly as those of the kit. */
export async function inEmbeddedPlace<T>(
  seed: string,
  bootSeconds: number,
  play: (place: Place) => Promise<T>,
): Promise<T> {
  const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'), { stallTimeoutSeconds: 60 });
  const world = createWorld({ clock, random: randomStreams(seed), setup: asTheKit(bootSeconds) });
  const send = (request: Parameters<typeof world.api>[0], signal?: AbortSignal) => world.api(request, signal);
  const place: Place = {
    side: 'embedded',
    api: apiBy(send, 'https://kubernetes.default.svc', async () => ({})),
    seconds: () => clock.monotonicSeconds(),
    sleep: (seconds) => clock.sleep(seconds),
    terminate: async (id) => {
      const answer = world.cloudApi.handle({
        method: 'POST',
        url: 'https://ec2.us-east-1.amazonaws.com/',
        body: terminateForm(id),
      });
      if (answer?.status !== 200) throw new Error(`TerminateInstances ${id}: ${answer?.status} ${answer?.body}`);
    },
  };
  try {
    return await clock.run(() => Promise.race([world.failure, world.start().then(() => play(place))]));
  } finally {
    world.close();
    clock.close();
  }
}

/**
 * What the kit's stand-in for EC2 does and a real EC2 does not, so that a behaviour takes as long on both sides: a
 * kubelet starts that many seconds after CreateFleet, images are pulled from the same machine, and the power of a
 * terminated instance is cut after 4 s, while its EC2 has it gone at once: Karpenter asks again 5 s later, or sooner
 * where something changes its Node.
 */
const kitDelays = (bootSeconds: number): Partial<Record<DelayName, Delay['seconds']>> => ({
  imagePull: [0.1, 1],
  instanceLaunch: [0.3, 0.5],
  instanceBoot: [0, 0],
  kubeletBoot: [bootSeconds + 0.5, bootSeconds + 2.5],
  nodeReady: [0.5, 1.1],
  instancePowerOff: [4, 5],
  instanceTermination: [0, 0],
  interruptionMessage: [2, 4],
});

function asTheKit(bootSeconds: number): Setup {
  const delays = Object.entries(kitDelays(bootSeconds)).map(([name, seconds]) => {
    return [name, { seconds, source: 'the kit of the real cluster' }] as const;
  });
  return {
    ...healthy,
    surroundings: { ...healthy.surroundings, interruptionQueue: true, missingImages: ['missing'] },
    delays: { ...healthy.delays, ...Object.fromEntries(delays) },
  };
}

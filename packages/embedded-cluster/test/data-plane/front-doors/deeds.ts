import assert from 'node:assert/strict';
import { randomStreams } from '../../../src/outside/random.ts';
import { healthy } from '../../../src/setup/setup.ts';
import type { FrontDoorName } from '../../../src/setup/surroundings.ts';
import type { SavedWorld } from '../../../src/world/world.ts';
import { type InWorld, inWorld, withApplication } from '../../support/in-world.ts';
import * as objects from '../../support/objects.ts';
import { alike, between, cutPower, deleteBackend, forced, leaveTwoSystemNodes } from '../ingress-nginx/deeds.ts';
import { isSlow, lastAt, type Seen, spanOf, usualWitness, witnessed } from '../ingress-nginx/witness.ts';

type Counted = readonly (readonly [bad: number, of: number])[];

/** A deed of docs/front-doors.md, "As measured", on the embedded cluster, and what was measured of it. */
export interface DoorDeed {
  readonly name: string;
  readonly door: FrontDoorName;
  /** `official`: as its chart installs it. */
  readonly ingress: 'official' | 'mended';
  readonly preStop?: true;
  readonly seconds: number;
  readonly make: (it: InWorld) => Promise<unknown>;
  /** Throws if it is not as measured. */
  readonly agrees: (seen: readonly Seen[]) => void;
}

/** The measured load balancer gives up a connection to a target after 5 s. */
export const isBad = ({ answer, connectSeconds }: Seen): boolean => answer !== 200 || connectSeconds > 5;
const isDelayed = (one: Seen): boolean => !isBad(one) && isSlow(one);

interface Measured {
  readonly bad: Counted;
  readonly slow?: Counted;
  /** When the last bad one began, at the latest. */
  readonly lastBadAt?: number;
}

/** Of all requests of the measurement, which lasted 30 s. */
const agreesWith =
  ({ bad, slow = [[0, 1000]], lastBadAt = 0 }: Measured) =>
  (seen: readonly Seen[]) => {
    const failed = seen.filter(isBad);
    alike('bad', failed.length, seen.length, bad);
    alike('slow', seen.filter(isDelayed).length, seen.length, slow);
    // kubectl took 0.3 to 0.9 s of the measured time, and requests came every twentieth of a second.
    if (failed.length > 0) between('last bad one', Math.max(0, lastAt(failed)), 0, lastBadAt + 0.5);
  };

/** Of the requests between the first bad one and the last, as long as the endpoint is in the slice. */
const agreesWithPowerCut =
  (bad: Counted, most: { readonly seconds: number; readonly atThem: number }) => (seen: readonly Seen[]) => {
    const failed = seen.filter(isBad);
    const { requests, seconds } = spanOf(failed.length === 0 ? [] : seen);
    alike('bad', failed.length, requests, bad);
    assert.deepEqual(seen.filter(isDelayed), [], 'none was slow');
    between('span', seconds, 38, 60);
    const longest = failed.filter((one) => one.seconds <= most.seconds + 0.1).length;
    assert.ok(longest >= most.atThem * failed.length, `${longest} of ${failed.length} within ${most.seconds} s`);
  };

const none = agreesWith({ bad: [[0, 1000]] });

async function deleteAllPods({ cluster, pods }: InWorld): Promise<void> {
  for (const { metadata } of await pods()) await cluster.delete('Pod', { namespace: 'default', name: metadata.name });
}

const { namespace } = healthy.surroundings.ingressController;

const deletePodOf =
  (selector: string, options: object = {}) =>
  async ({ cluster }: InWorld) => {
    const [pod] = await cluster.list('Pod', { namespace, labelSelector: selector });
    await cluster.delete('Pod', { namespace, name: pod?.metadata.name ?? '' }, options);
  };

const deleteProxy = (options: object = {}) => deletePodOf('app.kubernetes.io/component=controller', options);
const deleteControlPlane = deletePodOf('control-plane=envoy-gateway');

const rollOut = ({ cluster }: InWorld) =>
  cluster.patch(
    'Deployment',
    { namespace: 'default', name: 'nginx-test' },
    { type: 'merge', value: { spec: { template: { metadata: { annotations: { changed: 'yes' } } } } } },
  );

async function deleteControlPlaneThenBackend(it: InWorld): Promise<void> {
  await deleteControlPlane(it);
  await it.clock.sleep(1.5);
  await deleteBackend()(it);
}

const envoy = { door: 'envoy-gateway', ingress: 'official', seconds: 30 } as const;
const traefik = { door: 'traefik', ingress: 'official', seconds: 30 } as const;

export const doorDeeds: readonly DoorDeed[] = [
  {
    ...envoy,
    name: 'a pod of the application is deleted, which has no preStop',
    make: deleteBackend(),
    agrees: agreesWith({ bad: [[2, 630]], lastBadAt: 0.7 }),
  },
  {
    ...traefik,
    name: 'a pod of the application is deleted, which has no preStop',
    make: deleteBackend(),
    agrees: agreesWith({
      bad: [
        [6, 624],
        [11, 625],
      ],
      lastBadAt: 1.6,
    }),
  },
  {
    ...envoy,
    name: 'a pod of the application is deleted by force',
    make: deleteBackend(forced),
    agrees: agreesWith({ bad: [[1, 630]], lastBadAt: 0.5 }),
  },
  {
    ...traefik,
    name: 'a pod of the application is deleted by force',
    make: deleteBackend(forced),
    agrees: agreesWith({ bad: [[8, 624]], lastBadAt: 1.3 }),
  },
  {
    ...envoy,
    name: 'all pods of the application are deleted',
    seconds: 40,
    make: deleteAllPods,
    agrees: agreesWith({
      bad: [
        [48, 931],
        [35, 872],
      ],
      lastBadAt: 3,
    }),
  },
  {
    ...traefik,
    name: 'all pods of the application are deleted',
    seconds: 40,
    make: deleteAllPods,
    agrees: agreesWith({
      bad: [
        [62, 880],
        [41, 932],
      ],
      lastBadAt: 4.5,
    }),
  },
  {
    ...envoy,
    name: 'a rolling update without preStop',
    make: rollOut,
    agrees: agreesWith({
      bad: [
        [3, 945],
        [0, 945],
      ],
      lastBadAt: 10,
    }),
  },
  { ...envoy, name: 'a rolling update with preStop', preStop: true, make: rollOut, agrees: none },
  { ...traefik, name: 'a rolling update with preStop', preStop: true, make: rollOut, agrees: none },
  {
    ...envoy,
    name: 'the node of an endpoint is cut from power',
    ingress: 'mended',
    seconds: 70,
    make: cutPower,
    agrees: agreesWithPowerCut(
      [
        [214, 517],
        [199, 511],
      ],
      { seconds: 15, atThem: 0.9 },
    ),
  },
  {
    ...traefik,
    name: 'the node of an endpoint is cut from power',
    ingress: 'mended',
    seconds: 70,
    make: cutPower,
    agrees: agreesWithPowerCut(
      [
        [266, 532],
        [258, 534],
      ],
      { seconds: 30, atThem: 0.9 },
    ),
  },
  {
    ...envoy,
    name: 'a proxy is deleted, with traffic policy Local',
    seconds: 60,
    make: deleteProxy(),
    agrees: agreesWith({ bad: [[16, 1260]], slow: [[22, 1260]], lastBadAt: 9.5 }),
  },
  { ...envoy, name: 'a proxy is deleted, with Cluster', ingress: 'mended', make: deleteProxy(), agrees: none },
  {
    ...traefik,
    name: 'a proxy is deleted, with Cluster',
    make: deleteProxy(),
    agrees: agreesWith({ bad: [[6, 630]], lastBadAt: 1.9 }),
  },
  {
    ...envoy,
    name: 'a proxy is deleted by force, with Local',
    seconds: 40,
    make: deleteProxy(forced),
    agrees: agreesWith({ bad: [[42, 840]], slow: [[20, 840]], lastBadAt: 11.5 }),
  },
  {
    ...traefik,
    name: 'a proxy is deleted by force, with Cluster',
    make: deleteProxy(forced),
    agrees: agreesWith({ bad: [[5, 630]], lastBadAt: 1.9 }),
  },
  { ...envoy, name: 'the control plane is deleted', make: deleteControlPlane, agrees: none },
  {
    ...envoy,
    name: 'the control plane is deleted, and 1.5 s later a pod of the application',
    // As long as it was measured.
    seconds: 43,
    make: deleteControlPlaneThenBackend,
    agrees: agreesWith({
      bad: [
        [79, 912],
        [74, 889],
      ],
      lastBadAt: 12.3,
    }),
  },
];

/** What the witness saw of the deed. The measured cluster has two nodes with a proxy each. */
export async function doorPlayed(deed: DoorDeed, seed: number): Promise<readonly Seen[]> {
  const setup = setupOf(deed);
  return inWorld({ seed: `${seed}`, saved: await savedWorld(deed), setup }, async (it) => {
    await leaveTwoSystemNodes(it);
    // The moment of the deed differs between seeds, so that it meets each loop at another phase.
    await it.clock.sleep(10 * randomStreams(`${seed}`)('moment')());
    return witnessed(it, usualWitness, deed.seconds, () => deed.make(it));
  });
}

const setupOf = ({ door: frontDoor, ingress }: DoorDeed) => ({
  ...healthy,
  surroundings: { ...healthy.surroundings, frontDoor, ingress },
});

const worlds = new Map<string, Promise<SavedWorld>>();

function savedWorld(deed: DoorDeed): Promise<SavedWorld> {
  const { door, ingress, preStop = false } = deed;
  const key = `${door} ${ingress} ${preStop}`;
  const hook = preStop ? { lifecycle: { preStop: { sleep: { seconds: 5 } } } } : {};
  const containers = objects.hardenedPod.containers.map(({ lifecycle: _, ...container }) => ({
    ...container,
    ...hook,
  }));
  const world =
    worlds.get(key) ??
    withApplication('recorded', {
      setup: setupOf(deed),
      spec: { ...objects.hardenedPod, containers },
    });
  worlds.set(key, world);
  return world;
}

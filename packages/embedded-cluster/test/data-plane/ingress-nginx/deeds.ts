import assert from 'node:assert/strict';
import { randomStreams } from '../../../src/outside/random.ts';
import { healthy } from '../../../src/setup/setup.ts';
import type { SavedWorld } from '../../../src/world/world.ts';
import { type InWorld, inWorld, withApplication } from '../../support/in-world.ts';
import * as objects from '../../support/objects.ts';
import recorded from './recorded.json' with { type: 'json' };
import {
  isDisturbed,
  isFailed,
  isSlow,
  lastAt,
  type Seen,
  spanOf,
  usualWitness,
  type Witness,
  witnessed,
} from './witness.ts';

/** A deed of the recordings, on the embedded cluster, and what the recordings say of it. */
export interface Deed {
  readonly name: string;
  readonly ingress: 'official' | 'mended';
  /** Arguments of the controller instead of its `--shutdown-grace-period`. */
  readonly args?: readonly string[];
  readonly witness?: Witness;
  readonly seconds: number;
  readonly make: (it: InWorld) => Promise<unknown>;
  /** Throws if it is not as recorded. */
  readonly agrees: (seen: readonly Seen[]) => void;
}

const place = { namespace: 'ingress-nginx', name: 'ingress-nginx-controller' };
export const forced = { gracePeriodSeconds: 0 };

const deleteController =
  (options: object = {}) =>
  async ({ cluster }: InWorld) => {
    const [pod] = await cluster.list('Pod', { namespace: place.namespace });
    await cluster.delete('Pod', { namespace: place.namespace, name: pod?.metadata.name ?? '' }, options);
  };

export const deleteBackend =
  (options: object = {}) =>
  async ({ cluster, pods }: InWorld) => {
    const [pod] = await pods();
    await cluster.delete('Pod', { namespace: 'default', name: pod?.metadata.name ?? '' }, options);
  };

export async function cutPower({ world, pods }: InWorld): Promise<void> {
  const [pod] = await pods();
  world.machines.terminate(world.machines.instanceOfNode(pod?.spec.nodeName ?? '')?.id ?? '');
}

async function afterAnotherChange(it: InWorld): Promise<void> {
  await it.cluster.create({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'unrelated', namespace: 'default', labels: { 'kubernetes.io/service-name': 'unrelated' } },
    addressType: 'IPv4',
    endpoints: [],
  });
  await it.clock.sleep(0.6);
  await deleteBackend()(it);
}

/** The recorded cluster deleted the two pods 0.12 s apart, and its slice changed in between. */
async function deleteAllBackends({ scale, clock }: InWorld): Promise<void> {
  await scale(1);
  await clock.sleep(0.12);
  await scale(0);
}

const annotate = ({ cluster }: InWorld) =>
  cluster.patch(
    'Ingress',
    { namespace: 'default', name: 'nginx-test' },
    { type: 'merge', value: { metadata: { annotations: { 'nginx.ingress.kubernetes.io/proxy-body-size': '2m' } } } },
  );

/** Within what was recorded, and four standard deviations of a count of so many requests. */
export function alike(
  what: string,
  count: number,
  of: number,
  rows: readonly (readonly [count: number, of: number])[],
): void {
  const bounds = rows.map(([seen, all]) => {
    const share = (seen + 1) / (all + 2);
    const deviation = 4 * Math.sqrt(share * (1 - share) * (1 / all + 1 / of));
    return { share: seen / all, deviation };
  });
  const least = Math.min(...bounds.map(({ share, deviation }) => share - deviation));
  const most = Math.max(...bounds.map(({ share, deviation }) => share + deviation));
  const share = count / of;
  assert.ok(
    share >= least && share <= most,
    `${what}: ${count} of ${of}, recorded ${rows.map(([seen, all]) => `${seen} of ${all}`).join(' and ')}`,
  );
}

export const between = (what: string, value: number, least: number, most: number) =>
  assert.ok(value >= least && value <= most, `${what}: ${value.toFixed(1)}, recorded ${least} to ${most}`);

type PowerCut = (typeof recorded.powerCut)[number];

function agreesWithPowerCut(seen: readonly Seen[], rows: readonly PowerCut[]): void {
  const met = seen.filter(isDisturbed);
  const { requests, seconds } = spanOf(seen);
  const after = (wanted: number) => met.filter((one) => !isFailed(one) && Math.round(one.seconds) === wanted).length;
  alike(
    'met the dead endpoint',
    met.length,
    requests,
    rows.map((row) => [row.met, row.requests]),
  );
  alike(
    'took 5 s',
    after(5),
    met.length,
    rows.map((row) => [row.after5, row.met]),
  );
  alike(
    'took 10 s',
    after(10),
    met.length,
    rows.map((row) => [row.after10, row.met]),
  );
  alike(
    'failed with 504',
    met.filter(({ answer }) => answer === 504).length,
    met.length,
    rows.map((row) => [row.failed, row.met]),
  );
  // One for each connection that a worker kept: two controllers of two workers. One may be kept twice.
  between('took 60 s and more', met.filter((one) => one.seconds > 59).length, 3, 6);
  // Until the node controller takes the endpoint out; at one request a second the span may begin and end some requests
  // late and early.
  const [least = 0, most = 0] = recorded.notReadySeconds;
  between('span', seconds, least - (requests < 100 ? 8 : 0), most);
}

/** Nobody fails and nobody waits. */
const undisturbed = (seen: readonly Seen[]) => assert.deepEqual(seen.filter(isDisturbed), []);

function agreesWithBackend(
  seen: readonly Seen[],
  {
    requests,
    slow,
    longestSeconds,
    lastSlowAt,
  }: { requests: number; slow: number; longestSeconds: number; lastSlowAt: number },
): void {
  assert.deepEqual(seen.filter(isFailed), []);
  const waiting = seen.filter(isSlow);
  alike('slow', waiting.length, seen.length, [[slow, requests]]);
  // A worker looks once a second.
  between('last slow one', Math.max(0, lastAt(waiting)), 0, lastSlowAt + 1);
  between('longest', Math.max(0, ...waiting.map((one) => one.seconds)), 0, Math.max(5.1, longestSeconds + 0.3));
}

const local = (seen: readonly Seen[]) => {
  const rows = recorded.controllerLocal;
  const failed = seen.filter(isFailed);
  alike(
    'failed',
    failed.length,
    spanOf(seen).requests,
    rows.map((row) => [row.failed, row.requests]),
  );
  // A replacement is Ready a second sooner here (docs/fidelity.md).
  between('last failed', lastAt(failed), 10, 12.5);
  assert.ok(
    failed.every(({ seconds }) => seconds < 0.1),
    'broken at once',
  );
};

const controller = { ingress: 'official', seconds: 30, make: deleteController() } as const;

export const deeds: readonly Deed[] = [
  {
    name: 'the node of an endpoint is cut from power',
    ingress: 'mended',
    seconds: 70,
    make: cutPower,
    agrees: (seen) => agreesWithPowerCut(seen, recorded.powerCut),
  },
  {
    name: 'the node of an endpoint is cut from power, with one request a second and no others',
    ingress: 'mended',
    seconds: 70,
    witness: { kept: 0, rates: [1], timeoutSeconds: 90 },
    make: cutPower,
    agrees: (seen) => agreesWithPowerCut(seen, recorded.powerCutAlone),
  },
  { ...controller, name: 'a controller pod is deleted, with traffic policy Local', agrees: local },
  {
    ...controller,
    name: 'a controller pod is deleted, with Local and a grace of 25 s',
    args: ['--shutdown-grace-period=25'],
    seconds: 60,
    agrees: undisturbed,
  },
  {
    ...controller,
    ingress: 'mended',
    name: 'a controller pod is deleted, with Cluster and no grace',
    args: [],
    agrees: (seen) => {
      const [row] = recorded.controllerCluster;
      const failed = seen.filter(isDisturbed);
      alike('failed', failed.length, seen.length, [[row?.failed ?? 0, row?.requests ?? 0]]);
      between('last failed', Math.max(0, lastAt(failed)), 0, 1.3);
    },
  },
  {
    ...controller,
    ingress: 'mended',
    name: 'a controller pod is deleted, with Cluster and a grace of 5 s',
    agrees: undisturbed,
  },
  {
    ...controller,
    name: 'a controller pod is deleted by force, with Local',
    // The recorded load balancer gives up a connection to a target after 5 s.
    witness: { ...usualWitness, timeoutSeconds: 5 },
    make: deleteController(forced),
    agrees: (seen) => {
      const [row] = recorded.controllerLocalForced;
      assert.ok(row);
      const { requests } = spanOf(seen);
      alike('failed', seen.filter(isFailed).length, requests, [[row.failed, row.requests]]);
      alike('slow', seen.filter(isSlow).length, requests, [[row.slow, row.requests]]);
      between('last disturbed one', lastAt(seen.filter(isDisturbed)), 10, row.lastSlowAt + 1);
    },
  },
  {
    ...controller,
    ingress: 'mended',
    name: 'a controller pod is deleted by force, with Cluster',
    args: [],
    make: deleteController(forced),
    agrees: (seen) => alike('failed', seen.filter(isDisturbed).length, seen.length, [[0, 1050]]),
  },
  {
    name: 'a pod of the application is deleted, which has no preStop',
    ingress: 'mended',
    seconds: 30,
    make: deleteBackend(),
    agrees: (seen) => agreesWithBackend(seen, recorded.backendDeleted[0] as never),
  },
  {
    name: 'a pod of the application is deleted by force',
    ingress: 'mended',
    seconds: 30,
    make: deleteBackend(forced),
    agrees: (seen) => agreesWithBackend(seen, recorded.backendForced[0] as never),
  },
  {
    name: 'a pod of the application is deleted 0.6 s after another Service’s slice has changed',
    ingress: 'mended',
    seconds: 30,
    make: afterAnotherChange,
    agrees: (seen) => agreesWithBackend(seen, recorded.backendAfterAnotherChange[0] as never),
  },
  {
    name: 'all pods of the application are deleted',
    ingress: 'mended',
    seconds: 30,
    make: deleteAllBackends,
    agrees: (seen) => {
      const [row] = recorded.allBackends;
      assert.ok(row);
      const begun = seen.filter(({ at }) => at > 0);
      const first503At = Math.min(...begun.filter(({ answer }) => answer === 503).map(({ at }) => at));
      between('first 503', first503At, row.first503At - 0.8, row.first503At + 0.8);
      const before = begun.filter(({ answer }) => answer === 502 || answer === 504);
      between('failed before', before.length, row.before503 - 25, row.before503 + 25);
      const timeouts = before.filter(({ answer }) => answer === 504).length;
      assert.ok(timeouts > before.length / 2, `${timeouts} of ${before.length} failed with 504`);
    },
  },
  {
    name: 'an annotation of the Ingress is changed',
    ingress: 'mended',
    seconds: 30,
    make: annotate,
    agrees: undisturbed,
  },
];

/** What the witness saw of the deed. The recorded cluster has two system nodes, and its application has no preStop. */
export async function played(
  { ingress, args, witness = usualWitness, seconds, make }: Deed,
  seed: number,
): Promise<readonly Seen[]> {
  const setup = setupOf(ingress);
  return inWorld({ seed: `${seed}`, saved: await savedWorld(ingress), setup }, async (it) => {
    await leaveTwoSystemNodes(it);
    if (args !== undefined) await setArguments(it, args);
    // The moment of the deed differs between seeds, so that it meets each worker at another phase.
    await it.clock.sleep(10 * randomStreams(`${seed}`)('moment')());
    return witnessed(it, witness, seconds, () => make(it));
  });
}

const setupOf = (ingress: Deed['ingress']) => ({ ...healthy, surroundings: { ...healthy.surroundings, ingress } });

const worlds = new Map<string, Promise<SavedWorld>>();

function savedWorld(ingress: Deed['ingress']): Promise<SavedWorld> {
  const containers = objects.hardenedPod.containers.map(({ lifecycle: _, ...container }) => container);
  const world =
    worlds.get(ingress) ??
    withApplication('recorded', { setup: setupOf(ingress), spec: { ...objects.hardenedPod, containers } });
  worlds.set(ingress, world);
  return world;
}

export async function leaveTwoSystemNodes({ cluster }: InWorld): Promise<void> {
  const pods = await cluster.list('Pod', { namespace: place.namespace });
  for (const { metadata } of await cluster.list('Node', { labelSelector: 'eks.amazonaws.com/nodegroup=system' }))
    if (!pods.some(({ spec }) => spec.nodeName === metadata.name))
      await cluster.patch('Node', { name: metadata.name }, { type: 'merge', value: { spec: { unschedulable: true } } });
}

async function setArguments({ cluster, clock }: InWorld, args: readonly string[]): Promise<void> {
  const deployment = await cluster.get('Deployment', place);
  const containers = deployment?.spec.template.spec.containers.map((container) => ({
    ...container,
    args: [...(container.args ?? []).filter((one) => !one.startsWith('--shutdown-grace-period')), ...args],
  }));
  await cluster.patch('Deployment', place, { type: 'merge', value: { spec: { template: { spec: { containers } } } } });
  await clock.sleep(120);
}

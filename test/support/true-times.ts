import type { NodeClaim } from '../../src/cluster/autoscaler.ts';
import { isReady } from '../../src/cluster/pods.ts';
import type { Pod } from '../../src/cluster/resources.ts';
import type { Rehearsal } from '../../src/rehearsal/host.ts';
import { outageKind } from '../../src/validation/downtime/outage-kind.ts';
import type { ValidationFact } from '../../src/validation/record/events.ts';

/** What happened in milliseconds of the virtual clock: no whole seconds, no watch on the way. */
export interface TrueTimes {
  /** When each of the application's pods was stored and first became ready, by uid. */
  readonly createdAt: ReadonlyMap<string, number>;
  readonly readyAt: ReadonlyMap<string, number>;
  /** When each node was stored as a NodeClaim and its claim first became Initialized, by uid. */
  readonly claimedAt: ReadonlyMap<string, number>;
  readonly initializedAt: ReadonlyMap<string, number>;
  /** The starts of visitors' requests in the windows of scenarios, fifty a second, and whether each failed. */
  readonly visits: readonly { readonly at: number; readonly bad: boolean }[];
  /** Call with each fact of the run. */
  readonly onFact: (fact: ValidationFact) => void;
}

const everySeconds = 0.02;
const judged = { expect: 200, slowSeconds: 1 };

/** Follows the embedded API server from inside, and visits the application while a window is open. */
export function trueTimes({ world, host }: Pick<Rehearsal, 'world' | 'host'>, url: string): TrueTimes {
  const [createdAt, readyAt] = [new Map<string, number>(), new Map<string, number>()];
  const [claimedAt, initializedAt] = [new Map<string, number>(), new Map<string, number>()];
  const visits: { at: number; bad: boolean }[] = [];
  const cluster = world.apiServer.cluster('truth');
  const now = () => host.clock.wallAt();
  const pods = async () => {
    const watch = cluster.watch('Pod', { namespace: 'default' }, new AbortController().signal);
    for await (const change of watch) if (change.type !== 'synced') takePod(change.object);
  };
  const takePod = (pod: Pod) => {
    first(createdAt, pod, now());
    if (isReady(pod)) first(readyAt, pod, now());
  };
  const claims = async () => {
    const watch = cluster.watch('NodeClaim', {}, new AbortController().signal);
    for await (const change of watch) if (change.type !== 'synced') takeClaim(change.object);
  };
  const takeClaim = (claim: NodeClaim) => {
    first(claimedAt, claim, now());
    const conditions = claim.status?.conditions ?? [];
    if (conditions.some(({ type, status }) => type === 'Initialized' && status === 'True'))
      first(initializedAt, claim, now());
  };
  let open = false;
  const visit = async () => {
    for (; open; await host.clock.sleep(everySeconds))
      void host.probe({ url }, 'new', 10).then((sample) => {
        visits.push({ at: sample.at, bad: outageKind(sample, judged) !== undefined });
      });
  };
  void pods();
  void claims();
  return {
    createdAt,
    readyAt,
    claimedAt,
    initializedAt,
    visits,
    onFact: ({ type }) => {
      if (type === 'window-closed') open = false;
      if (type !== 'window-opened') return;
      open = true;
      void visit();
    },
  };
}

function first(times: Map<string, number>, { metadata: { uid = '' } }: Pod | NodeClaim, at: number): void {
  if (!times.has(uid)) times.set(uid, at);
}

import type { NodeClaim } from '../../src/cluster/autoscaler.ts';
import { isReady } from '../../src/cluster/pods.ts';
import type { Pod } from '../../src/cluster/resources.ts';
import type { Rehearsal } from '../../src/rehearsal/host.ts';
import type { ValidationFact } from '../../src/validation/record/events.ts';

/** What happened in milliseconds of the virtual clock: no whole seconds, no watch on the way. */
export interface TrueTimes {
  /** When each of the application's pods was stored and first became ready, by uid. */
  readonly createdAt: ReadonlyMap<string, number>;
  readonly readyAt: ReadonlyMap<string, number>;
  /** When each node was stored as a NodeClaim and its claim first became Initialized, by uid. */
  readonly claimedAt: ReadonlyMap<string, number>;
  readonly initializedAt: ReadonlyMap<string, number>;
  /**
   * In the windows of scenarios, a hundred times a second: the share of new requests that would be bad, from 0 to 1.
   */
  readonly shares: readonly { readonly at: number; readonly bad: number }[];
  /** Call with each fact of the run. */
  readonly onFact: (fact: ValidationFact) => void;
}

const everySeconds = 0.01;

/**
 * Follows the embedded API server from inside, and computes what would happen to requests while a window is open: no
 * probe is asked.
 */
export function trueTimes(
  { world, host: { clock, resolve } }: Pick<Rehearsal, 'world' | 'host'>,
  url: string,
): TrueTimes {
  const [createdAt, readyAt] = [new Map<string, number>(), new Map<string, number>()];
  const [claimedAt, initializedAt] = [new Map<string, number>(), new Map<string, number>()];
  const shares: { at: number; bad: number }[] = [];
  const { hostname: host, pathname: path } = new URL(url);
  const cluster = world.kubernetes('truth');
  const now = () => clock.wallAt();
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
  const badShare = async () => {
    const { records } = await resolve({ name: host, type: 'A' });
    const address = records.find(({ type }) => type === 'A')?.value;
    if (address === undefined) return 1;
    const { failing, slow } = world.truth(address, { host, path });
    return failing + slow;
  };
  const look = async () => {
    for (; open; await clock.sleep(everySeconds)) {
      const at = now();
      shares.push({ at, bad: await badShare() });
    }
  };
  void pods();
  void claims();
  return {
    createdAt,
    readyAt,
    claimedAt,
    initializedAt,
    shares,
    onFact: ({ type }) => {
      if (type === 'window-closed') open = false;
      if (type !== 'window-opened') return;
      open = true;
      void look();
    },
  };
}

function first(times: Map<string, number>, { metadata: { uid = '' } }: Pod | NodeClaim, at: number): void {
  if (!times.has(uid)) times.set(uid, at);
}

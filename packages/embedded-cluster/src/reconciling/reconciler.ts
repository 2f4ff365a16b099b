import { ApiError } from '../kubernetes/cluster.ts';
import type { Kind, Kinds } from '../kubernetes/kinds.ts';
import type { Cache } from '../objects/cache.ts';
import type { Controller, Site } from '../setup/site.ts';
import type { DelayName } from '../time/delays.ts';

/**
 * A controller of the usual form: changes are mapped to keys in a work queue, and a key is reconciled until it is done.
 */
export interface Reconciler {
  readonly name: string;
  /** Maps a changed object of each watched kind to the keys to reconcile. */
  readonly watches: { readonly [K in Kind]?: (object: Kinds[K], cache: Cache) => Iterable<string> };
  /** From a change to its reconciliation. */
  readonly reaction: DelayName;
  /** The same of single kinds, where it is another. */
  readonly reactions?: { readonly [K in Kind]?: DelayName };
  /** Reconciles the current state; may return the seconds after which to reconcile again. */
  readonly reconcile: (site: Site, key: string) => Promise<number | undefined>;
  /** Adds keys from sources besides the API: instances, containers. */
  readonly alsoWatches?: (site: Site, add: (key: string) => void) => void;
}

/** How soon a key is tried again while the controller's process is down. */
const processDownRetrySeconds = 5;

interface Queue {
  readonly definition: Reconciler;
  readonly site: Site;
  readonly signal: AbortSignal;
  /** When each waiting key is due, epoch milliseconds. */
  readonly dueAt: Map<string, number>;
  /** The reconciliations so far: keys are reconciled one at a time, in the order in which they are due. */
  tail: Promise<void>;
}

export function reconciler(definition: Reconciler): Controller {
  return {
    name: definition.name,
    run: (site, signal) => {
      const queue: Queue = { definition, site, signal, dueAt: new Map(), tail: Promise.resolve() };
      const addSoon = (key: string, kind?: Kind) => {
        const reaction = (kind && definition.reactions?.[kind]) ?? definition.reaction;
        add(queue, key, site.delay(reaction));
      };
      for (const kind of Object.keys(definition.watches) as Kind[]) {
        const keysOf = definition.watches[kind] as (object: Kinds[Kind], cache: Cache) => Iterable<string>;
        site.cache.subscribe(kind, ({ object, previous }) => {
          const before = previous === undefined ? [] : keysOf(previous, site.cache);
          for (const key of new Set([...keysOf(object, site.cache), ...before])) addSoon(key, kind);
        });
      }
      definition.alsoWatches?.(site, (key) => addSoon(key));
    },
  };
}

/** A key that is in the queue keeps the earlier of both due times. */
function add(queue: Queue, key: string, seconds: number): void {
  const dueAt = queue.site.now() + Math.ceil(seconds * 1000);
  if ((queue.dueAt.get(key) ?? Number.POSITIVE_INFINITY) <= dueAt) return;
  queue.dueAt.set(key, dueAt);
  queue.site.after((dueAt - queue.site.now()) / 1000, () => {
    if (queue.dueAt.get(key) !== dueAt) return;
    queue.dueAt.delete(key);
    queue.tail = queue.tail.then(() => work(queue, key));
  });
}

async function work(queue: Queue, key: string): Promise<void> {
  const { site, definition, signal } = queue;
  if (signal.aborted) return;
  if (!site.running()) return add(queue, key, processDownRetrySeconds);
  try {
    const again = await definition.reconcile(site, key);
    if (again !== undefined) add(queue, key, again);
  } catch (error) {
    if (!(error instanceof ApiError)) return site.failed(error);
    add(queue, key, site.delay('controllerRetry'));
  }
}

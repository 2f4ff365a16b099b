import { ApiError } from '../../cluster/cluster.ts';
import type { Kind, Kinds } from '../../cluster/kinds.ts';
import type { Cache } from '../objects/cache.ts';
import type { Controller, Site } from '../setup/site.ts';
import type { DelayName } from '../time/delays.ts';

/** A controller as Kubernetes writes them: changes become keys, a key is brought to its desired state as often as needed. */
export interface Reconciler {
  readonly name: string;
  /** The keys that a change of such an object concerns. */
  readonly watches: { readonly [K in Kind]?: (object: Kinds[K], cache: Cache) => Iterable<string> };
  /** From a change to the work that it asks for. */
  readonly reaction: DelayName;
  /** Looks at everything anew; may answer with the seconds after which to look again. */
  readonly reconcile: (site: Site, key: string) => Promise<number | undefined>;
  /** Keys from elsewhere than the API, for those who also touch what is really there. */
  readonly alsoWatches?: (site: Site, add: (key: string) => void) => void;
}

/** How soon a controller whose process is down is asked again whether it has come back. */
const lookAgainSeconds = 5;

interface Queue {
  readonly definition: Reconciler;
  readonly site: Site;
  readonly signal: AbortSignal;
  /** When each waiting key is due, epoch milliseconds. */
  readonly dueAt: Map<string, number>;
  /** One key at a time, in the order in which they fall due. */
  turn: Promise<void>;
}

export function reconciler(definition: Reconciler): Controller {
  return {
    name: definition.name,
    run: (site, signal) => {
      const queue: Queue = { definition, site, signal, dueAt: new Map(), turn: Promise.resolve() };
      const addSoon = (key: string) => add(queue, key, site.delay(definition.reaction));
      for (const kind of Object.keys(definition.watches) as Kind[]) {
        const keysOf = definition.watches[kind] as (object: Kinds[Kind], cache: Cache) => Iterable<string>;
        site.cache.subscribe(kind, ({ object, previous }) => {
          const before = previous === undefined ? [] : keysOf(previous, site.cache);
          for (const key of new Set([...keysOf(object, site.cache), ...before])) addSoon(key);
        });
      }
      definition.alsoWatches?.(site, addSoon);
    },
  };
}

/** A key that waits already waits no longer than before. */
function add(queue: Queue, key: string, seconds: number): void {
  const dueAt = queue.site.now() + Math.ceil(seconds * 1000);
  if ((queue.dueAt.get(key) ?? Number.POSITIVE_INFINITY) <= dueAt) return;
  queue.dueAt.set(key, dueAt);
  queue.site.after((dueAt - queue.site.now()) / 1000, () => {
    if (queue.dueAt.get(key) !== dueAt) return;
    queue.dueAt.delete(key);
    queue.turn = queue.turn.then(() => work(queue, key));
  });
}

async function work(queue: Queue, key: string): Promise<void> {
  const { site, definition, signal } = queue;
  if (signal.aborted) return;
  if (!site.running()) return add(queue, key, lookAgainSeconds);
  try {
    const again = await definition.reconcile(site, key);
    if (again !== undefined) add(queue, key, again);
  } catch (error) {
    if (!(error instanceof ApiError)) return site.failed(error);
    add(queue, key, site.delay('controllerRetry'));
  }
}

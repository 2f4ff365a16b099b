import { guestHost } from '../../host/node.ts';
import type { Thread, Threads } from '../../host/thread.ts';
import type { RunResult } from '../../validation/judge/run-result.ts';
import type { Context } from '../command/context.ts';
import { manifestsRehearsed } from '../manifests/manifests-rehearsed.ts';
import { alone, type OwnRehearsal, resultOf } from './rehearsal-run.ts';

/** Whole rehearsals of which only the result is kept, as many at once as there are processors. */
export interface Rehearsals {
  /** Begins with it as soon as a processor is free, in the order of the calls. */
  resultOf(order: OwnRehearsal): Promise<RunResult | undefined>;
  /** One thread more, where this one has nothing else to do now. */
  grow(): void;
  /** Ends those that are under way. */
  end(): void;
}

type OfOrder = Thread<Sent, RunResult | undefined>;

/** Of short-lived objects a cluster in virtual time makes many. */
const youngMib = 48;

/** With one processor, or where a rehearsal runs programs of the process, in this thread. */
export function rehearsals(context: Pick<Context, 'host' | 'signal'>): Rehearsals {
  const { threads } = context.host;
  const waiting: ((thread: OfOrder) => void)[] = [];
  const all = new Set<Promise<OfOrder>>();
  let most = Math.max(1, (threads?.processors ?? 1) - 1);
  let free: OfOrder[] = [];
  const release = (thread: OfOrder) => {
    const next = waiting.shift();
    if (next === undefined) free.push(thread);
    else next(thread);
  };
  const take = (from: Threads): Promise<OfOrder> => {
    const [thread, ...others] = free;
    free = others;
    if (thread !== undefined) return Promise.resolve(thread);
    if (all.size >= most) return new Promise((resolve) => waiting.push(resolve));
    const started = from.start<Sent, RunResult | undefined>(ownModule, 'rehearsing', {}, { youngMib });
    all.add(started);
    return started;
  };
  return {
    resultOf: async (order) => {
      context.signal?.throwIfAborted();
      if (threads === undefined || threads.processors === 1 || order.program !== undefined)
        return resultOf(context, order);
      const thread = await take(threads);
      try {
        return await thread.ask(sent(order));
      } finally {
        release(thread);
      }
    },
    grow: () => {
      most += 1;
      if (threads !== undefined && waiting.length > 0) take(threads).then(release, () => {});
    },
    end: () => {
      for (const one of all) one.then((thread) => thread.end()).catch(() => {});
    },
  };
}

/** What can be copied of an order. */
type Sent = Pick<
  OwnRehearsal,
  'seed' | 'scenario' | 'defect' | 'nodes' | 'settings' | 'version' | 'recordedManifests'
> & {
  readonly own: object;
};

function sent(order: OwnRehearsal): Sent {
  const { seed, scenario, defect, nodes, settings, version, own } = alone(order) as OwnRehearsal;
  const located = own.located.map(({ file, object }) => ({ file, object }));
  const recordedManifests = manifestsRehearsed(own);
  const plain = { ...own, located, written: [] };
  return { seed, scenario, defect, nodes, settings, version, recordedManifests, own: plain };
}

/** The sources are TypeScript, the build is not: both have this file. */
const ownModule = import.meta.resolve(`./rehearsal-thread.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`);

/** Called in the thread. */
export async function rehearsing(): Promise<(order: Sent) => Promise<RunResult | undefined>> {
  const host = guestHost();
  return (order) => resultOf({ host }, order as OwnRehearsal);
}

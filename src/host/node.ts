import { systemClock } from './clock.ts';
import { run } from './command.ts';
import { resolve } from './dns.ts';
import { exchange } from './exchange.ts';
import { nodeFiles } from './files.ts';
import type { Host, Signal } from './host.ts';
import { http } from './http.ts';
import { standardInput } from './input.ts';
import { loadByGenerator } from './load/generators/by-generator.ts';
import { load } from './load/load.ts';
import { output } from './output.ts';
import { allowManyLookUps } from './probe/look-up.ts';
import { prober } from './probe/probe.ts';
import { threads } from './thread.ts';

/**
 * The real host: this machine, its clock, its network and its files. `lost` is called with the error of a failed write
 * to standard output.
 */
export function nodeHost(lost?: (error: Error) => void): Host {
  allowManyLookUps();
  return {
    ...machine(),
    onSignal,
    input: standardInput(() => process.stdin),
    out: output(process.stdout, lost),
    talk: output(process.stderr),
  };
}

/**
 * The same machine for somebody else's process: its standard streams, its environment and its signals are left alone.
 * An abort of `signal` stops a run as SIGTERM does.
 */
export function guestHost(signal?: AbortSignal): Host {
  const silent = { write: () => {}, isTTY: false, columns: 80, rows: 24 };
  return {
    ...machine(),
    onSignal: (_, listener) => whenAborted(signal, () => listener('SIGTERM')),
    input: { isTTY: false, line: async () => undefined, chunks: async function* () {} },
    out: silent,
    talk: silent,
  };
}

/** The variables of this process, for the commands that it starts. */
export const processEnvironment = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

/** At once where it is aborted already; until the returned function is called. */
function whenAborted(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal?.aborted) queueMicrotask(listener);
  signal?.addEventListener('abort', listener, { once: true });
  return () => signal?.removeEventListener('abort', listener);
}

type Machine = Omit<Host, 'onSignal' | 'input' | 'out' | 'talk'>;

function machine(): Machine {
  const clock = systemClock();
  const random = () => Math.random;
  const files = nodeFiles();
  return {
    clock,
    random,
    http,
    exchange,
    probe: prober(),
    load: (plan, signal, end) =>
      plan.generator === undefined
        ? load(plan, signal, end)
        : loadByGenerator({ clock, random, run, files }, plan.generator, plan, anyOf(signal, end)),
    resolve,
    run,
    files,
    threads,
  };
}

const anyOf = (...signals: readonly (AbortSignal | undefined)[]): AbortSignal =>
  AbortSignal.any(signals.filter((signal) => signal !== undefined));

/** Calls the listener instead of the default action; the returned function restores the default. */
const onSignal: Host['onSignal'] = (names, listener) => {
  const onSignal = (name: NodeJS.Signals) => listener(name as Signal);
  for (const name of names) process.on(name, onSignal);
  return () => {
    for (const name of names) process.off(name, onSignal);
  };
};

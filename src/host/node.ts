import { systemClock } from './clock.ts';
import { run } from './command.ts';
import { resolve } from './dns.ts';
import { exchange } from './exchange.ts';
import { nodeFiles } from './files.ts';
import type { Host } from './host.ts';
import { http } from './http.ts';
import { standardInput } from './input.ts';
import { loadByGenerator } from './load/generators/by-generator.ts';
import { load } from './load/load.ts';
import { output } from './output.ts';
import { allowManyLookUps } from './probe/look-up.ts';
import { prober } from './probe/probe.ts';
import { onSignal } from './signals.ts';
import { threads } from './thread.ts';

/** The real host: this machine, its clock, its network and its files. `lost` is called with the error of a failed write to standard output. */
export function nodeHost(lost?: (error: Error) => void): Host {
  allowManyLookUps();
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
    onSignal,
    input: standardInput(() => process.stdin),
    out: output(process.stdout, lost),
    talk: output(process.stderr),
  };
}

const anyOf = (...signals: readonly (AbortSignal | undefined)[]): AbortSignal =>
  AbortSignal.any(signals.filter((signal) => signal !== undefined));

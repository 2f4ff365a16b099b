import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Appender, Files, Host } from '../../../src/host/host.ts';
import { quietHost } from './quiet-host.ts';

/**
 * A host that dies as by kill -9: from one moment on no call comes back, and the process whose name it bore is gone.
 */
export interface MortalHost {
  readonly host: Host;
  /** Resolves when it has died. */
  readonly death: Promise<'killed'>;
  /** How many moments there were: one before and one after each call. */
  readonly moments: () => number;
  /** Whether a command ran at its death. */
  readonly leftCommands: () => boolean;
  /** Ends the process that lent its name. */
  readonly bury: () => Promise<void>;
}

/** Dies at this moment; `withChildren` takes the commands that run along, as kill -9 of the whole group does. */
export async function mortalHost(diesAt = Number.POSITIVE_INFINITY, withChildren = false): Promise<MortalHost> {
  const real = quietHost();
  const body = spawn('sleep', ['1000'], { stdio: 'ignore' });
  await new Promise((resolve) => body.once('spawn', resolve));
  const children = new Set<number>();
  let left = false;
  const { promise: death, resolve: die } = Promise.withResolvers<'killed'>();
  let moments = 0;
  let dead = false;
  const appenders: Appender[] = [];
  const kill = async (): Promise<void> => {
    dead = true;
    left = children.size > 0;
    await end(body);
    if (withChildren) for (const pid of children) killGroup(pid);
    die('killed');
  };
  const isOver = async (): Promise<boolean> => {
    if (!dead && moments++ >= diesAt) await kill();
    return dead;
  };
  const moment = async (): Promise<void> => {
    if (await isOver()) await new Promise(() => {});
  };
  const mortal =
    <A extends readonly unknown[], R>(call: (...words: A) => Promise<R>) =>
    async (...words: A): Promise<R> => {
      await moment();
      const result = await call(...words);
      await moment();
      return result;
    };
  const host: Host = {
    ...real,
    http: mortal(real.http),
    exchange: mortal(real.exchange),
    files: mortalFiles(real.files, body, mortal, appenders),
    run: mortal(async (command, options) => {
      let pid = 0;
      const started = async (child: { readonly pid: number }): Promise<void> => {
        pid = child.pid;
        children.add(pid);
        if (!(await isOver())) await Promise.race([options.started?.(child), death]);
      };
      try {
        return await real.run(command, { ...options, started });
      } finally {
        children.delete(pid);
      }
    }),
    onSignal: () => () => {},
  };
  const bury = async (): Promise<void> => {
    await end(body);
    // What the kernel does for a process that is gone; those that were closed in time say so.
    await Promise.allSettled(appenders.map((appender) => appender.close()));
  };
  return { host, death, moments: () => moments, leftCommands: () => left, bury };
}

type Mortal = <A extends readonly unknown[], R>(call: (...words: A) => Promise<R>) => (...words: A) => Promise<R>;

/** Reading is no moment of its own: nothing changes by it. */
function mortalFiles(real: Files, body: ChildProcess, mortal: Mortal, appenders: Appender[]): Files {
  return {
    ...real,
    realPath: (path) => (path === '/proc/self' ? Promise.resolve(`/proc/${body.pid}`) : real.realPath(path)),
    append: async (path, options) => {
      const appender = await real.append(path, options);
      appenders.push(appender);
      return mortalAppender(appender, mortal);
    },
    replace: mortal(real.replace),
    create: mortal(real.create),
    makeFolder: mortal(real.makeFolder),
    link: mortal(real.link),
    rename: mortal(real.rename),
    place: mortal(real.place),
    setMode: mortal(real.setMode),
    remove: mortal(real.remove),
  };
}

function mortalAppender(real: Appender, mortal: Mortal): Appender {
  return { write: mortal(real.write), sync: mortal(real.sync), close: mortal(real.close) };
}

async function end(body: ChildProcess): Promise<void> {
  if (body.exitCode !== null || body.signalCode !== null) return;
  const gone = new Promise((resolve) => body.once('exit', resolve));
  body.kill('SIGKILL');
  await gone;
}

function killGroup(pid: number): void {
  kill(-pid);
}

/** Kills a process and all that it has started, as far as their parents tell. */
export function killWithDescendants(pid: number): void {
  const descendants = descendantsOf(pid);
  for (const each of [pid, ...descendants]) kill(each);
}

function descendantsOf(pid: number): readonly number[] {
  const children = childrenOf(pid);
  return [...children, ...children.flatMap(descendantsOf)];
}

function childrenOf(pid: number): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

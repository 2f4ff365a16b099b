import { OperationError } from '../host/errors.ts';
import type { Appender, Files, Host } from '../host/host.ts';

/** One past-tense fact: a line of `journal.jsonl`. `at` is ISO 8601, UTC. */
export interface Fact {
  readonly at: string;
  readonly type: string;
}
/** A fact before it has its time. */
export type Untimed<F> = F extends Fact ? Omit<F, 'at'> : never;

/**
 * What happened, in the order in which it happened (contract section 4). An intent is on disk, folder entry included,
 * before `intend` returns; other facts are written in batches, each batch one write.
 */
export interface Journal<F extends Fact> {
  /** Never waits and never fails: a journal that cannot be written says so at the next `intend` or `flush`. */
  record(fact: Untimed<F>): void;
  /** Rejects when the fact could not be made durable: then the action must not be made. */
  intend(fact: Untimed<F>): Promise<void>;
  flush(): Promise<void>;
  /** All of it is on disk; rejects as `flush` does, and is closed then too. */
  close(): Promise<void>;
}

/** Opens a journal for appending; a torn last line of an earlier process is closed off, never continued. */
export async function openJournal<F extends Fact>(
  host: Pick<Host, 'files' | 'clock'>,
  path: string,
  heard: (fact: F) => void = () => {},
): Promise<Journal<F>> {
  const existing = await host.files.stat(path);
  const appender = await host.files.append(path);
  const lines = writeInBatches(appender, path);
  if (existing !== undefined && existing.sizeBytes > 0) lines.add('\n');
  const record = (untimed: Untimed<F>): void => {
    const fact = { at: new Date(host.clock.wallAt()).toISOString(), ...untimed } as unknown as F;
    heard(fact);
    lines.add(`${JSON.stringify(fact)}\n`);
  };
  return {
    record,
    async intend(untimed) {
      record(untimed);
      await lines.written();
      await appender.sync();
    },
    flush: lines.written,
    async close() {
      try {
        await lines.written();
        await appender.sync();
      } finally {
        await appender.close();
      }
    },
  };
}

function writeInBatches(appender: Appender, path: string) {
  let pending = '';
  let writing: Promise<void> | undefined;
  let trouble: unknown;
  const writeAll = async (): Promise<void> => {
    try {
      while (pending !== '') {
        // A batch that failed may have left a piece of a line, which must not swallow the next fact.
        const batch = trouble === undefined ? pending : `\n${pending}`;
        pending = '';
        await appender.write(batch);
      }
    } catch (error) {
      trouble = error;
    } finally {
      // In the same turn in which nothing was left: what is added from now on is begun anew.
      writing = undefined;
    }
  };
  const start = (): Promise<void> => {
    if (pending !== '') writing ??= writeAll();
    return writing ?? Promise.resolve();
  };
  return {
    add(text: string): void {
      pending += text;
      void start();
    },
    async written(): Promise<void> {
      await start();
      if (trouble === undefined) return;
      throw new OperationError(
        { tried: 'Writing the journal', on: path, reason: String(trouble), next: 'Free space there and run again' },
        { cause: trouble },
      );
    },
  };
}

/** In the place of a whole line that is no fact: nobody knows what it said. Its time is that of the fact before it. */
export interface LineDamaged extends Fact {
  readonly type: 'line-damaged';
}

/**
 * The facts of a journal; `told` has a `line-damaged` in the place of each damaged line as well. The torn last line of a killed process is
 * no line. Undefined where there is no file.
 */
export async function readJournal<F extends Fact>(
  files: Pick<Files, 'read'>,
  path: string,
): Promise<{ readonly facts: readonly F[]; readonly told: readonly (F | LineDamaged)[] } | undefined> {
  const text = await files.read(path);
  if (text === undefined) return undefined;
  const read = factReader<F>();
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  const told = [...lines.flatMap(read), ...read(last).filter(isWhole)];
  return { facts: told.filter(isWhole), told };
}

const isWhole = <F extends Fact>(fact: F | LineDamaged): fact is F => fact.type !== 'line-damaged';

/** Pure. Takes the whole lines of a journal in order, each without its end. An empty one is where a process went on with it. */
export function factReader<F extends Fact>(): (line: string) => readonly (F | LineDamaged)[] {
  let lastAt = new Date(0).toISOString();
  return (line) => {
    if (line.trim() === '') return [];
    const fact = parseFact<F>(line) ?? damagedAfter(lastAt);
    lastAt = fact.at;
    return [fact];
  };
}

const damagedAfter = (at: string): LineDamaged => ({ at, type: 'line-damaged' });

/** Undefined where the line is no fact. */
function parseFact<F extends Fact>(line: string): F | undefined {
  try {
    const fact = JSON.parse(line) as Partial<F>;
    const isFact = typeof fact.type === 'string' && typeof fact.at === 'string' && !Number.isNaN(Date.parse(fact.at));
    return isFact ? (fact as F) : undefined;
  } catch {
    return undefined;
  }
}

import { OperationError } from '../host/errors.ts';
import type { Appender, Files, Host } from '../host/host.ts';
import type { Seal } from '../host/seal.ts';

/** One fact in the past tense: a line of `journal.jsonl`. `at` is ISO 8601, UTC. */
export interface Fact {
  readonly at: string;
  readonly type: string;
}
/** A fact without its time. */
export type Untimed<F> = F extends Fact ? Omit<F, 'at'> : never;

/**
 * The facts of a run in their order (docs/contract.md, "The run folder"). An intent is on disk, folder entry included,
 * before `intend` resolves; other facts are written in batches, each batch with one write.
 */
export interface Journal<F extends Fact> {
  /** Never waits and never fails: a failed write rejects the next `intend` or `flush`. */
  record(fact: Untimed<F>): void;
  /** Rejects if the fact could not be made durable: then the action must not be made. */
  intend(fact: Untimed<F>): Promise<void>;
  flush(): Promise<void>;
  /** Resolves when everything is on disk; rejects as `flush` does, and closes the file then too. */
  close(): Promise<void>;
}

/**
 * Opens a journal for appending, and ends a torn last line of an earlier process. `onFact` gets every fact as it is
 * recorded; `mode` is that of a new file; `seal` goes on each line.
 */
export async function openJournal<F extends Fact>(
  host: Pick<Host, 'files' | 'clock'>,
  path: string,
  onFact: (fact: F) => void = () => {},
  { seal, ...options }: { readonly mode?: number; readonly seal?: Seal | undefined } = {},
): Promise<Journal<F>> {
  const existing = await host.files.stat(path);
  const appender = await host.files.append(path, options);
  const lines = writeInBatches(appender, path);
  if (existing !== undefined && existing.sizeBytes > 0) lines.add('\n');
  const record = (untimed: Untimed<F>): void => {
    const fact = { at: new Date(host.clock.wallAt()).toISOString(), ...untimed } as unknown as F;
    onFact(fact);
    lines.add(`${JSON.stringify(seal === undefined ? fact : seal.on(fact))}\n`);
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
        // A failed batch may have left a part of a line, which must not swallow the next fact.
        const batch = trouble === undefined ? pending : `\n${pending}`;
        pending = '';
        await appender.write(batch);
      }
    } catch (error) {
      trouble = error;
    } finally {
      // In the same turn as the last check of `pending`, so that a text added after it starts a new write.
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

/** Whether a line has the members that its readers need: else it is damaged. */
export type IsFact = (fact: Fact) => boolean;

/** Stands for a line that could not be parsed. Its time is that of the fact before it. */
export interface LineDamaged extends Fact {
  readonly type: 'line-damaged';
}

/**
 * The facts of a journal; `lines` also has a `line-damaged` for each damaged line. The torn last line of a killed
 * process is ignored. Undefined if there is no file.
 */
export async function readJournal<F extends Fact>(
  files: Pick<Files, 'read'>,
  path: string,
  isFact?: IsFact,
): Promise<{ readonly facts: readonly F[]; readonly lines: readonly (F | LineDamaged)[] } | undefined> {
  const text = await files.read(path);
  if (text === undefined) return undefined;
  const read = factReader<F>(isFact);
  const texts = text.split('\n');
  const last = texts.pop() ?? '';
  const lines = [...texts.flatMap(read), ...read(last).filter(isWhole)];
  return { facts: lines.filter(isWhole), lines };
}

const isWhole = <F extends Fact>(fact: F | LineDamaged): fact is F => fact.type !== 'line-damaged';

/**
 * Parses the lines of a journal in order, each without its end. An empty line, where a later process continued the
 * file, is skipped.
 */
export function factReader<F extends Fact>(
  isFact: IsFact = () => true,
): (line: string) => readonly (F | LineDamaged)[] {
  let lastAt = new Date(0).toISOString();
  return (line) => {
    if (line.trim() === '') return [];
    const parsed = parseFact<F>(line);
    const fact = parsed !== undefined && isFact(parsed) ? parsed : damagedAfter(lastAt);
    lastAt = fact.at;
    return [fact];
  };
}

const damagedAfter = (at: string): LineDamaged => ({ at, type: 'line-damaged' });

/** Undefined if the line is not a fact. */
function parseFact<F extends Fact>(line: string): F | undefined {
  try {
    const fact = JSON.parse(line) as Partial<F>;
    const isFact = typeof fact.type === 'string' && typeof fact.at === 'string' && !Number.isNaN(Date.parse(fact.at));
    return isFact ? (fact as F) : undefined;
  } catch {
    return undefined;
  }
}

import type { Appender, Clock, Files } from '../../host/host.ts';
import { continuedHeader, tornMark, writtenAgain } from './downtime-log.ts';
import { endsTorn } from './log-writer.ts';
import { type Kept, removeOld } from './remove-old.ts';

/** When a new file is begun: at so many bytes, or with a new day (UTC). */
export type Rotation = { readonly bytes: number } | 'daily';

export interface LastingLogOptions {
  readonly rotate?: Rotation | undefined;
  /** How much of the rotated files stays; absent: all. */
  readonly kept?: Kept | undefined;
  /** Says what happens to the log, one sentence. */
  readonly say: (sentence: string) => void;
  /** The file got this name, or, without one, another program took it away. */
  readonly left?: (name?: string) => void;
  /** These rotated files were removed, because no more is kept. */
  readonly removed?: (names: readonly string[]) => void;
}

/**
 * How long a replaced or truncated file may go unnoticed. The lines of twice this time are kept, to be written again.
 */
const lookEveryMs = 1000;
/** A reader that begins in the middle finds the settings within an hour's lines. */
const headerEveryMs = 3_600_000;
/** What a full disk keeps waiting; the oldest of more is dropped, and its ticks are unknown. */
const mostWaitingBytes = 16 * 1024 * 1024;

interface Lasting {
  readonly files: Files;
  readonly clock: Pick<Clock, 'wallAt'>;
  readonly path: string;
  readonly options: LastingLogOptions;
  appender: Appender | undefined;
  /** Of the open file: which one it is, and how long. */
  id: string | undefined;
  bytes: number;
  day: string;
  header: string;
  headerAt: number;
  lookedAt: number;
  /** Lines since the last look, and since the one before it. */
  recent: [newer: string, older: string];
  waiting: string[];
  /** What is being written, or could not be. */
  underWay: string;
  waitingBytes: number;
  inTrouble: boolean;
}

/**
 * Files whose appender is for a log that is written for years: it is rotated, goes on in a new file when another
 * program renames, removes or truncates it, and waits for a disk that is full. Each new file begins with the header; no
 * line is lost at a border.
 */
export function lastingFiles(files: Files, clock: Pick<Clock, 'wallAt'>, options: LastingLogOptions): Files {
  return { ...files, append: (path) => lastingAppender(files, clock, path, options) };
}

async function lastingAppender(
  files: Files,
  clock: Pick<Clock, 'wallAt'>,
  path: string,
  options: LastingLogOptions,
): Promise<Appender> {
  const now = clock.wallAt();
  const lasting: Lasting = {
    ...{ files, clock, path, options, appender: undefined, id: undefined, bytes: 0, day: dayOf(now) },
    ...{ header: '', headerAt: now, lookedAt: now, recent: ['', ''], waiting: [], waitingBytes: 0 },
    ...{ underWay: '', inTrouble: false },
  };
  await open(lasting);
  await keepWithin(lasting, now);
  let last: Promise<unknown> = Promise.resolve();
  const queued = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
  let next: Promise<void> | undefined;
  return {
    write: (text) => {
      take(lasting, text);
      // Lines that come while another is written are written together: thousands of targets have thousands of lines a
      // second.
      next ??= queued(async () => {
        next = undefined;
        await write(lasting);
      });
      return next;
    },
    sync: () => queued(async () => lasting.appender?.sync()),
    close: () => queued(() => close(lasting)),
  };
}

async function open(lasting: Lasting): Promise<void> {
  const { files, path } = lasting;
  await lasting.appender?.close().catch(() => undefined);
  lasting.appender = undefined;
  const appender = await files.append(path);
  const there = await files.stat(path);
  lasting.appender = appender;
  lasting.id = there?.id;
  lasting.bytes = there?.sizeBytes ?? 0;
}

/** Never rejects: what could not be written is written with the next text. */
async function write(lasting: Lasting): Promise<void> {
  try {
    await flush(lasting);
  } catch (error) {
    if (!lasting.inTrouble) lasting.options.say(`${reasonOf(error)}. The lines wait until it can be written again.`);
    lasting.inTrouble = true;
  }
}

function take(lasting: Lasting, text: string): void {
  if (lasting.header === '' && text.startsWith('# holdfast downtime-log ')) lasting.header = firstLine(text);
  lasting.waiting.push(text);
  lasting.waitingBytes += text.length;
  while (lasting.waitingBytes > mostWaitingBytes && lasting.waiting.length > 1)
    lasting.waitingBytes -= lasting.waiting.shift()?.length ?? 0;
}

async function flush(lasting: Lasting): Promise<void> {
  const now = lasting.clock.wallAt();
  if (lasting.appender === undefined || lasting.inTrouble) await mend(lasting);
  if (Math.abs(now - lasting.lookedAt) >= lookEveryMs) await look(lasting, now);
  if (isDue(lasting, now)) await rotate(lasting, now);
  if (Math.abs(now - lasting.headerAt) >= headerEveryMs) await putHeader(lasting, '');
  const text = lasting.waiting.join('');
  lasting.waiting = [];
  lasting.waitingBytes = 0;
  lasting.recent[0] += text;
  await put(lasting, text);
  if (lasting.inTrouble) lasting.options.say(`${lasting.path} can be written again.`);
  lasting.inTrouble = false;
}

async function put(lasting: Lasting, text: string): Promise<void> {
  lasting.underWay = text;
  await lasting.appender?.write(text);
  lasting.bytes += Buffer.byteLength(text);
  lasting.underWay = '';
}

/**
 * After a write that failed, its beginning may be in the file: the rest is written. In another file the lines are
 * written from their beginning.
 */
async function mend(lasting: Lasting): Promise<void> {
  const { id, bytes, underWay } = lasting;
  await open(lasting);
  if (lasting.id === id && lasting.bytes >= bytes)
    return put(
      lasting,
      Buffer.from(underWay)
        .subarray(lasting.bytes - bytes)
        .toString(),
    );
  if (await endsTorn(lasting.files, lasting.path)) await put(lasting, tornMark);
  await put(lasting, continuedHeader(lasting.header) + underWay);
}

/**
 * Whether another program has renamed, removed or truncated the file. Lines that were written since the last look may
 * be lost then.
 */
async function look(lasting: Lasting, now: number): Promise<void> {
  const { files, path, recent } = lasting;
  const there = await files.stat(path);
  lasting.lookedAt = now;
  const isOurs = there !== undefined && there.id === lasting.id && there.sizeBytes >= lasting.bytes;
  lasting.recent = ['', recent[0]];
  if (isOurs) return;
  lasting.options.left?.();
  await open(lasting);
  await putHeader(lasting, writtenAgain(recent[1] + recent[0]));
  lasting.day = dayOf(now);
}

async function putHeader(lasting: Lasting, more: string): Promise<void> {
  await put(lasting, continuedHeader(lasting.header) + more);
  lasting.headerAt = lasting.clock.wallAt();
}

function isDue({ options: { rotate: rotation }, bytes, day, waitingBytes }: Lasting, now: number): boolean {
  if (rotation === undefined || bytes === 0) return false;
  return rotation === 'daily' ? dayOf(now) !== day : bytes + waitingBytes > rotation.bytes;
}

async function rotate(lasting: Lasting, now: number): Promise<void> {
  const { files, path } = lasting;
  await lasting.appender?.sync();
  const name = await freeName(files, `${path}-${stampOf(now)}`);
  await files.rename(path, name);
  lasting.options.left?.(name);
  await open(lasting);
  lasting.day = dayOf(now);
  lasting.recent = ['', ''];
  await putHeader(lasting, '');
  await keepWithin(lasting, now);
}

/** Leaves room for a whole new file. What cannot be removed stays, and is tried again with the next file. */
async function keepWithin({ files, path, options }: Lasting, nowAt: number): Promise<void> {
  const { kept, rotate: rotation } = options;
  if (kept === undefined) return;
  const ownBytes = typeof rotation === 'object' ? rotation.bytes : 0;
  try {
    const removed = await removeOld(files, path, kept, { nowAt, ownBytes });
    options.removed?.(removed);
  } catch (error) {
    options.say(`${reasonOf(error)}. The rotated files of ${path} stay.`);
  }
}

async function freeName(files: Files, wanted: string): Promise<string> {
  let name = wanted;
  for (let number = 1; (await files.stat(name)) !== undefined; number++) name = `${wanted}.${number}`;
  return name;
}

async function close(lasting: Lasting): Promise<void> {
  try {
    if (lasting.waiting.length > 0 || lasting.underWay !== '') await flush(lasting);
  } finally {
    await lasting.appender?.close();
  }
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
/** `20261120T100000Z` */
const stampOf = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
const firstLine = (text: string): string => text.slice(0, text.indexOf('\n') + 1);
const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

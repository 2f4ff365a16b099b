import { OperationError } from '../../host/errors.ts';
import type { Host } from '../../host/host.ts';

/** Where the lines of a monitor elsewhere come from. */
export interface LogSource {
  /** For people: the name of the file, `standard input`, `the log of Pod default/x`. */
  readonly name: string;
  /**
   * Whole lines without their ends, as they come, until the signal is aborted. A log that cannot be followed is an
   * `OperationError`.
   */
  readonly lines: (signal: AbortSignal) => AsyncIterable<string>;
}

const lookEverySeconds = 0.25;

/** A file that grows, or `-` for standard input. */
export function fileSource(host: Host, source: string): LogSource {
  if (source === '-') {
    return { name: 'standard input', lines: (signal) => wholeLines(host.input.chunks(signal)) };
  }
  return { name: source, lines: (signal) => wholeLines(growing(host, source, signal)) };
}

/** A line that is still being written comes when it is whole. */
async function* wholeLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n/);
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

/**
 * Yields the last header that the file has now, and then what is appended. A symbolic link is resolved once, at the
 * beginning.
 */
async function* growing({ files, clock }: Host, source: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const path = await fileOf(files, source);
  const written = await lastPart(files, path);
  if (written.header !== undefined) yield new TextEncoder().encode(`${written.header}\n`);
  let position = written.endsAt;
  while (!signal.aborted) {
    const size = (await files.stat(path))?.sizeBytes ?? 0;
    if (size < position) throw cannotFollow(source, 'it was cut short or replaced');
    if (size > position)
      for await (const chunk of files.chunks(path, position)) {
        position += chunk.length;
        yield chunk;
      }
    await clock.sleep(lookEverySeconds, signal).catch(() => undefined);
  }
}

/** Refuses anything but a file: a pipe would be read to its end before its first line came. */
async function fileOf(files: Host['files'], source: string): Promise<string> {
  const path = (await files.realPath(source)) ?? source;
  const kind = (await files.stat(path))?.kind;
  if (kind === undefined) throw cannotFollow(source, 'there is no such file');
  if (kind !== 'file')
    throw cannotFollow(source, 'it is not a regular file', 'Give a pipe as standard input: --downtime-log -');
  return path;
}

export function cannotFollow(name: string, reason: string, next?: string): OperationError {
  const failure = { tried: 'Following the downtime log', on: name, reason };
  return new OperationError(next === undefined ? failure : { ...failure, next });
}

/** The last header, and where the last whole line ends. */
async function lastPart(
  files: Host['files'],
  path: string,
): Promise<{ readonly header?: string; readonly endsAt: number }> {
  const text = (await files.read(path)) ?? '';
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const header = whole.split('\n').findLast((line) => line.startsWith('# holdfast downtime-log '));
  return { ...(header === undefined ? {} : { header }), endsAt: new TextEncoder().encode(whole).length };
}

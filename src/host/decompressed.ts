import { createGunzip, createZstdDecompress } from 'node:zlib';
import { OperationError } from './errors.ts';

type Decompressor = ReturnType<typeof createGunzip> | ReturnType<typeof createZstdDecompress>;

interface Format {
  readonly magic: readonly number[];
  readonly name: string;
  readonly open: () => Decompressor;
}

/** The first bytes of a file: RFC 1952, section 2.3.1, and RFC 8878, section 3.1.1. */
const formats: readonly Format[] = [
  { magic: [0x1f, 0x8b], name: 'gzip', open: createGunzip },
  { magic: [0x28, 0xb5, 0x2f, 0xfd], name: 'zstd', open: createZstdDecompress },
];

/** Whether these are the first bytes of a gzip or zstd file. */
export const isCompressed = (first: Uint8Array): boolean => formatOf(first) !== undefined;

const formatOf = (first: Uint8Array) =>
  formats.find(({ magic }) => magic.every((byte, index) => first[index] === byte));

/**
 * The bytes in the file that these pieces make, whether it is compressed with gzip or zstd or not at all. What cannot
 * be decompressed to its end is an `OperationError` that names the file.
 */
export async function* decompressed(path: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const pieces = chunks[Symbol.asyncIterator]();
  try {
    const first = await pieces.next();
    if (first.done === true) return;
    const format = formatOf(first.value);
    const whole = all(first.value, pieces);
    if (format === undefined) yield* whole;
    else yield* opened(path, format, whole);
  } finally {
    await pieces.return?.();
  }
}

async function* all(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

/** A file may have several frames, one after the other; a decompressor may stop at the end of one. */
async function* opened(path: string, format: Format, chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const next = await chunks.next();
  for (let rest: Uint8Array | undefined = next.value; rest !== undefined; ) {
    const output = format.open();
    const fed: Promise<Uint8Array | undefined> = feed(output, rest, chunks);
    fed.catch((error) => output.destroy(error));
    try {
      yield* output;
      rest = await fed;
    } catch (cause) {
      if (cause instanceof OperationError) throw cause;
      const reason = `it is no whole ${format.name} file (${cause instanceof Error ? cause.message : cause})`;
      throw new OperationError({ tried: 'Decompressing', on: path, reason }, { cause });
    } finally {
      output.destroy();
      await fed.catch(() => undefined);
    }
  }
}

/** Returns what it did not take, if it stopped before the end. */
async function feed(
  output: Decompressor,
  first: Uint8Array,
  chunks: AsyncGenerator<Uint8Array>,
): Promise<Uint8Array | undefined> {
  for (let chunk: Uint8Array = first; ; ) {
    const before = output.bytesWritten;
    await written(output, chunk);
    const taken = output.bytesWritten - before;
    if (taken === 0 && chunk.length > 0) throw new Error('it has bytes behind its end');
    if (taken < chunk.length) return Uint8Array.from(chunk.subarray(taken));
    const next = await chunks.next();
    if (next.done === true) break;
    chunk = next.value;
  }
  output.end();
  return undefined;
}

/** Resolves when the bytes were taken, so that their memory may be used again. */
function written(output: Decompressor, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    output.once('close', resolve);
    output.write(bytes, (error) => {
      output.off('close', resolve);
      if (error) reject(error);
      else resolve();
    });
  });
}

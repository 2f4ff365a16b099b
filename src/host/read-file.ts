import { readFile } from 'node:fs/promises';
import { OperationError } from './errors.ts';
import { openRegular } from './open-file.ts';
import { codeOf, systemError } from './system-error.ts';

/**
 * The first chunk is small, for those who want but a file's beginning. The largest are large enough that parsing takes
 * longer than reading, and small enough for the cache.
 */
const [firstChunkBytes, chunkBytes] = [64 * 1024, 1024 * 1024];

/** A longer text is not read: a string of V8 holds half a GiB, and its parts take memory beside it. */
const mostBytes = 256 * 1024 * 1024;

/** `read` of `Files`. */
export async function read(path: string, { mayBePipe = false } = {}): Promise<string | undefined> {
  try {
    if (mayBePipe) return await readFile(path, 'utf8');
    const file = await openRegular(path);
    try {
      const { size } = await file.stat();
      if (size > mostBytes)
        throw new OperationError({ tried: 'Reading', on: path, reason: `it is longer than ${mostBytes} bytes` });
      return await file.readFile('utf8');
    } finally {
      await file.close();
    }
  } catch (cause) {
    const code = codeOf(cause);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw systemError('Reading', path, cause);
  }
}

/** `chunks` of `Files`. While a chunk is used, the next one is read. */
export async function* chunks(path: string, fromByte = 0): AsyncGenerator<Uint8Array> {
  const file = await openRegular(path).catch((cause) => {
    throw systemError('Reading', path, cause);
  });
  const read = (buffer: Buffer, position: number) => {
    const reading = file.read(buffer, 0, buffer.length, position);
    // It is awaited later, or never if no more is wanted.
    reading.catch(() => {});
    return reading;
  };
  let [buffer, other] = [Buffer.allocUnsafeSlow(firstChunkBytes), Buffer.allocUnsafeSlow(firstChunkBytes)];
  let reading = read(buffer, fromByte);
  try {
    for (let position = fromByte; ; [buffer, other] = [other, larger(buffer)]) {
      const { bytesRead } = await reading;
      if (bytesRead === 0) return;
      position += bytesRead;
      reading = read(other, position);
      yield buffer.subarray(0, bytesRead);
    }
  } catch (cause) {
    throw systemError('Reading', path, cause);
  } finally {
    await reading.catch(() => {});
    await file.close();
  }
}

const larger = (buffer: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> =>
  buffer.length < chunkBytes ? Buffer.allocUnsafeSlow(4 * buffer.length) : buffer;

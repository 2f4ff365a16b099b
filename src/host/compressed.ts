import { createGzip } from 'node:zlib';

/** The text that these pieces make, compressed with gzip. */
export async function compressed(pieces: Iterable<string>): Promise<Uint8Array> {
  const output = createGzip();
  const chunks: Uint8Array[] = [];
  const ended = Promise.withResolvers<void>();
  output.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  output.once('end', () => ended.resolve());
  output.once('error', ended.reject);
  for (const piece of pieces) if (!output.write(piece)) await new Promise((resolve) => output.once('drain', resolve));
  output.end();
  await ended.promise;
  return Buffer.concat(chunks);
}

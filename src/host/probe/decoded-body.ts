import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';

/** What a request for a compressed body says that it takes. */
export const acceptedCodings = 'deflate, gzip, br, zstd';

const decoders = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
} as const;

/**
 * The beginning of a body as it was before these codings were put around it (RFC 9110, section 8.4.1), at most so many
 * bytes: a small body may become gigabytes. A body may break off. Undefined where a coding is unknown, or the bytes are
 * not of it.
 */
export async function decodedBody(
  bytes: Buffer,
  codings: readonly string[],
  mostBytes: number,
): Promise<Buffer | undefined> {
  let body: Buffer | undefined = bytes;
  for (const coding of codings.filter((one) => one !== 'identity' && one !== '').toReversed()) {
    const open = decoders[coding as keyof typeof decoders];
    body = open === undefined || body === undefined ? undefined : await decoded(open(), body, mostBytes);
  }
  return body;
}

function decoded(decoder: ReturnType<(typeof decoders)['gzip']>, bytes: Buffer, mostBytes: number) {
  return new Promise<Buffer | undefined>((resolve) => {
    const pieces: Buffer[] = [];
    let length = 0;
    const end = () => {
      decoder.destroy();
      resolve(length === 0 && bytes.length > 0 ? undefined : Buffer.concat(pieces).subarray(0, mostBytes));
    };
    decoder.on('data', (piece: Buffer) => {
      pieces.push(piece);
      length += piece.length;
      if (length >= mostBytes) end();
    });
    decoder.on('end', end);
    decoder.on('error', end);
    decoder.end(bytes);
  });
}

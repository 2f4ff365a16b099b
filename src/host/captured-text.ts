/**
 * The limit of one output for a log: `git fetch` and `artisan` stay far below it, and a runaway command cannot fill the
 * memory.
 */
const mostKeptBytes = 4 * 1024 * 1024;
/**
 * The limit of one output that is an answer: the names of more than a million files. A string of Node holds twice as
 * much.
 */
export const mostAnswerBytes = 256 * 1024 * 1024;

export interface CapturedText {
  readonly push: (chunk: Buffer) => void;
  readonly text: () => string;
}

/**
 * A stream's text. Of a text above the limit it keeps the beginning and the end, with a line between them that says how
 * much was cut.
 */
export function capturedText(keptBytes = mostKeptBytes): CapturedText {
  const head = { chunks: [] as Buffer[], bytes: 0 };
  const tail = { chunks: [] as Buffer[], bytes: 0 };
  const half = keptBytes / 2;
  let cut = 0;
  return {
    push: (chunk) => {
      const room = Math.min(chunk.length, half - head.bytes);
      if (room > 0) head.bytes += keep(head.chunks, chunk.subarray(0, room));
      if (room < chunk.length) tail.bytes += keep(tail.chunks, chunk.subarray(room));
      while (tail.bytes - (tail.chunks[0]?.length ?? 0) >= half) {
        const dropped = tail.chunks.shift()?.length ?? 0;
        tail.bytes -= dropped;
        cut += dropped;
      }
    },
    text: () => {
      const between = cut === 0 ? [] : [Buffer.from(`\n[${cut} bytes are left out here]\n`)];
      return Buffer.concat([...head.chunks, ...between, ...tail.chunks]).toString('utf8');
    },
  };
}

/** A stream's whole text. Of a text above the limit it keeps nothing, and calls `exceeded` once. */
export function wholeText(exceeded: () => void, mostBytes = mostAnswerBytes): CapturedText {
  let chunks: Buffer[] = [];
  let bytes = 0;
  return {
    push: (chunk) => {
      const fittedBefore = bytes <= mostBytes;
      bytes += chunk.length;
      if (bytes <= mostBytes) chunks.push(chunk);
      else if (fittedBefore) {
        chunks = [];
        exceeded();
      }
    },
    text: () => Buffer.concat(chunks).toString('utf8'),
  };
}

function keep(chunks: Buffer[], chunk: Buffer): number {
  chunks.push(chunk);
  return chunk.length;
}

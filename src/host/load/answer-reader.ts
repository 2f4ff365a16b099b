import type { Progress } from '../probe/body-framing.ts';
import { type ResponseReader, responseReader } from '../probe/response-reader.ts';

/** Reads the answers of a connection from the first bytes of a buffer, so many of them. */
export type AnswerReader = Omit<ResponseReader, 'push' | 'location'> & {
  readonly push: (buffer: Buffer, length: number) => Progress;
};

/**
 * The last whole answer of any connection that came in one piece and kept it open. One that is the same, byte for byte, means the same and is not read: servers
 * repeat theirs until the second in its `Date` is over.
 */
export interface LastAnswer {
  readonly bytes: Buffer;
  length: number;
  status: number;
}

/** A longer answer is read: it hardly ever comes in one piece. */
const longestBytes = 16 * 1024;

export const noAnswer = (): LastAnswer => ({ bytes: Buffer.alloc(longestBytes), length: 0, status: 0 });

export function answerReader(last: LastAnswer): AnswerReader {
  const reader = responseReader();
  let isBeginning = true;
  /** Of an answer that is the same as the last one. */
  let repeated: number | undefined;
  const read = (buffer: Buffer, length: number): Progress => {
    const isInOnePiece = isBeginning;
    isBeginning = false;
    const progress = reader.push(buffer.subarray(0, length));
    if (progress === 'complete' && isInOnePiece && reader.keepsAlive() && length <= longestBytes)
      remember(last, buffer, length, reader.status());
    return progress;
  };
  return {
    push: (buffer, length) => {
      if (!isBeginning || !isLast(last, buffer, length)) return read(buffer, length);
      isBeginning = false;
      repeated = last.status;
      return 'complete';
    },
    closed: () => (repeated === undefined ? reader.closed() : 'complete'),
    status: () => repeated ?? reader.status(),
    keepsAlive: () => repeated !== undefined || reader.keepsAlive(),
    restart: () => {
      if (repeated === undefined) reader.restart();
      repeated = undefined;
      isBeginning = true;
    },
  };
}

const isLast = ({ bytes, length: ofLast }: LastAnswer, buffer: Buffer, length: number): boolean =>
  length === ofLast && buffer.compare(bytes, 0, length, 0, length) === 0;

function remember(last: LastAnswer, buffer: Buffer, length: number, status: number): void {
  buffer.copy(last.bytes, 0, 0, length);
  last.length = length;
  last.status = status;
}

import { type ResponseReader, responseReader } from '../probe/response-reader.ts';

/** A whole answer. */
export interface Answer {
  readonly status: number;
  readonly keepsAlive: boolean;
}

/** What the connections of a load share. */
export interface KnownAnswer {
  readonly method: string;
  /**
   * The last whole answer of any connection that came in one piece and kept it open. One that is the same, byte for
   * byte, means the same and is not read: servers repeat theirs until the second in its `Date` is over.
   */
  bytes: Buffer;
  answer: Answer;
  /** Reads the answers that come in one piece; another one is made when a connection needs it for longer. */
  spare: ResponseReader;
}

/** `method` is that of the requests. */
export const noAnswer = (method: string): KnownAnswer => ({
  method,
  bytes: Buffer.alloc(0),
  answer: { status: 0, keepsAlive: false },
  spare: responseReader(undefined, method),
});

/** A longer answer is read: it hardly ever comes in one piece. */
const longestBytes = 16 * 1024;

/** Reads the answers of one connection. */
export interface AnswerReader {
  readonly known: KnownAnswer;
  /** An answer was read on this connection. */
  isKept: boolean;
  /** Reads the answer of which a part has come. */
  reader: ResponseReader | undefined;
}

export const answerReader = (known: KnownAnswer): AnswerReader => ({ known, isKept: false, reader: undefined });

/** Takes the next bytes, whose memory may be reused afterwards; the answer that is whole with them. */
export function push(answers: AnswerReader, bytes: Buffer): Answer | 'more' | 'broken' {
  if (answers.reader !== undefined || !bytes.equals(answers.known.bytes)) return read(answers, bytes);
  answers.isKept = true;
  return answers.known.answer;
}

/** Whether a further answer is awaited on a kept connection, and no byte of it has come. */
export const isWaiting = ({ isKept, reader }: AnswerReader): boolean => isKept && reader === undefined;

function read(answers: AnswerReader, bytes: Buffer): Answer | 'more' | 'broken' {
  const { known, reader } = answers;
  const progress = (reader ?? known.spare).push(bytes);
  if (progress !== 'complete') {
    if (reader === undefined) takeSpare(answers);
    return progress;
  }
  const answer = whole(answers, reader ?? known.spare);
  if (reader === undefined && answer.keepsAlive && bytes.length <= longestBytes) {
    known.bytes = Buffer.from(bytes);
    known.answer = answer;
  }
  return answer;
}

function takeSpare(answers: AnswerReader): void {
  answers.reader = answers.known.spare;
  answers.known.spare = responseReader(undefined, answers.known.method);
}

function whole(answers: AnswerReader, reader: ResponseReader): Answer {
  const answer = { status: reader.status(), keepsAlive: reader.keepsAlive() };
  reader.restart();
  answers.isKept = true;
  answers.reader = undefined;
  return answer;
}

/** The peer closed the connection; the answer that is whole with that. */
export const closed = (answers: AnswerReader): Answer | 'broken' =>
  answers.reader?.closed() === 'complete' ? whole(answers, answers.reader) : 'broken';

/** The status of the answer of which a part has come; 0 before it is read. */
export const statusSoFar = ({ reader }: AnswerReader): number => reader?.status() ?? 0;

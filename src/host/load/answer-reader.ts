import { type ResponseReader, responseReader } from '../probe/response-reader.ts';

/** A whole answer. */
export interface Answer {
  readonly status: number;
  readonly keepsAlive: boolean;
}

/**
 * The last whole answer of any connection that came in one piece and kept it open. One that is the same, byte for byte, means the same and is not read: servers
 * repeat theirs until the second in its `Date` is over.
 */
export interface LastAnswer {
  bytes: Buffer;
  answer: Answer;
}

export const noAnswer = (): LastAnswer => ({ bytes: Buffer.alloc(0), answer: { status: 0, keepsAlive: false } });

/** A longer answer is read: it hardly ever comes in one piece. */
const longestBytes = 16 * 1024;

/** Reads the answers of one connection. */
export interface AnswerReader {
  readonly last: LastAnswer;
  readonly reader: ResponseReader;
  /** Before the first byte of its first answer, before that of a further one, or within an answer. */
  at: 'first' | 'next' | 'within';
}

export const answerReader = (last: LastAnswer): AnswerReader => ({ last, reader: responseReader(), at: 'first' });

/**
 * Takes the next bytes, whose memory may be reused afterwards; the answer that is whole with them. The first answer of a connection is always read, so that V8 has seen both ways
 * when it compiles this, and does not have to compile it again in the next second.
 */
export const push = (answers: AnswerReader, bytes: Buffer): Answer | 'more' | 'broken' =>
  answers.at === 'next' && bytes.equals(answers.last.bytes) ? answers.last.answer : read(answers, bytes);

function read(answers: AnswerReader, bytes: Buffer): Answer | 'more' | 'broken' {
  const { reader, last, at } = answers;
  answers.at = 'within';
  const progress = reader.push(bytes);
  if (progress !== 'complete') return progress;
  const answer = whole(answers);
  if (at !== 'within' && answer.keepsAlive && bytes.length <= longestBytes) {
    last.bytes = Buffer.from(bytes);
    last.answer = answer;
  }
  return answer;
}

/** The peer closed the connection; the answer that is whole with that. */
export const closed = (answers: AnswerReader): Answer | 'broken' =>
  answers.reader.closed() === 'complete' ? whole(answers) : 'broken';

function whole(answers: AnswerReader): Answer {
  const { reader } = answers;
  const answer = { status: reader.status(), keepsAlive: reader.keepsAlive() };
  reader.restart();
  answers.at = 'next';
  return answer;
}

import { headerBegin, repeatedHeader } from './downtime-log.ts';
import type { LogReader } from './log-reader.ts';

/** So much is looked through for a header: more than 5,000 targets write in two seconds. */
const mostBytes = 2 * 1024 * 1024;
const [numberSign, lineEnd] = [35, 10];

/**
 * A reader of one file. Where another program has truncated a log, a second's lines may stand before the header that
 * its monitor then repeats (`continues=yes`): they are read with that header.
 */
export function headerFirst(reader: LogReader): LogReader {
  let held: Buffer | undefined = Buffer.alloc(0);
  const pass = (header?: string) => {
    if (held === undefined) return;
    const bytes = held;
    held = undefined;
    if (header !== undefined) reader.push(Buffer.from(`${header}\n`));
    if (bytes.length > 0) reader.push(bytes);
  };
  const hold = (before: Buffer, chunk: Uint8Array) => {
    held = Buffer.concat([before, chunk]);
    const header = headerIn(held);
    if (header !== undefined) pass(isRepeated(header) ? header : undefined);
    else if (held.length > mostBytes) pass();
  };
  return {
    push: (chunk) => {
      if (held?.length === 0 && chunk[0] === numberSign) held = undefined;
      if (held === undefined) reader.push(chunk);
      else hold(held, chunk);
    },
    quiet: (run) => {
      pass();
      return reader.quiet(run);
    },
    endFile: () => {
      pass();
      reader.endFile();
    },
    end: reader.end,
    understood: reader.understood,
  };
}

const isRepeated = (line: string): boolean => repeatedHeader(line) !== undefined;

/** The first whole line that is a header. */
function headerIn(bytes: Buffer): string | undefined {
  const at = bytes.indexOf(`\n${headerBegin} `) + 1;
  const end = at === 0 ? -1 : bytes.indexOf(lineEnd, at);
  return end < 0 ? undefined : bytes.toString('utf8', at, end);
}

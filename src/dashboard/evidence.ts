import { factReader } from '../journal/journal.ts';
import { type DowntimeLog, downtimeLogReader } from '../validation/downtime/read-downtime-log.ts';
import type { ValidationFact } from '../validation/record/events.ts';

/** All that a run's two files say, as far as they are written. */
export interface Evidence {
  readonly facts: readonly ValidationFact[];
  /** Undefined before the monitor began. */
  readonly log: DowntimeLog | undefined;
}

/** Takes the bytes of both files as they come; what it tells is that of the files cut there. */
export interface EvidenceReader {
  readonly journal: (chunk: Uint8Array) => void;
  readonly downtimeLog: (chunk: Uint8Array) => void;
  readonly read: () => Evidence;
}

/** Pure. A torn last line is nothing yet: it counts when the rest of it has come. */
export function evidenceReader(): EvidenceReader {
  const facts: ValidationFact[] = [];
  const read = factReader<ValidationFact>();
  const decoder = new TextDecoder();
  const chunks: Uint8Array[] = [];
  let torn = '';
  return {
    journal(chunk) {
      const lines = (torn + decoder.decode(chunk, { stream: true })).split('\n');
      torn = lines.pop() ?? '';
      for (const line of lines) facts.push(...read(line));
    },
    downtimeLog: (chunk) => chunks.push(chunk),
    read: () => ({ facts: [...facts], log: chunks.length === 0 ? undefined : logOf(chunks) }),
  };
}

/** From its beginning each time, because lines come out of order and the last of them are sorted in later. */
function logOf(chunks: readonly Uint8Array[]): DowntimeLog {
  const reader = downtimeLogReader();
  for (const chunk of chunks) reader.push(chunk);
  return reader.end();
}

import { factReader } from '../journal/journal.ts';
import { type DowntimeLog, downtimeLogReader } from '../validation/downtime/read-downtime-log.ts';
import type { ValidationFact } from '../validation/record/events.ts';

/** The content of a run's two files, as far as they are written. */
export interface Evidence {
  readonly facts: readonly ValidationFact[];
  /** Undefined before the monitor started. */
  readonly log: DowntimeLog | undefined;
}

/** Takes the bytes of both files as they come; `read` returns their content so far. */
export interface EvidenceReader {
  readonly journal: (chunk: Uint8Array) => void;
  readonly downtimeLog: (chunk: Uint8Array) => void;
  readonly read: () => Evidence;
}

/** An incomplete last line does not count until the rest of it has come. */
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

/** Reads the log from its beginning each time, because a later line may belong before earlier ones. */
function logOf(chunks: readonly Uint8Array[]): DowntimeLog {
  const reader = downtimeLogReader();
  for (const chunk of chunks) reader.push(chunk);
  return reader.end();
}

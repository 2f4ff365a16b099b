import { factReader } from '../journal/journal.ts';
import { applicationsOf, namesOf } from '../validation/applications.ts';
import { downtimeLogReader } from '../validation/downtime/read-downtime-log.ts';
import { vantagesOf } from '../validation/judge/read-run.ts';
import type { VantageLog } from '../validation/judge/vantage-log-view.ts';
import type { RunVantages, ValidationFact } from '../validation/record/events.ts';
import { isValidationFact } from '../validation/record/fact-shape.ts';
import { factsByApplication } from '../validation/record/of-applications.ts';
import { runStarted } from '../validation/record/records.ts';
import { runFiles } from '../validation/record/run-folder.ts';

/** The content of a run's files, as far as they are written. */
export interface Evidence {
  readonly facts: readonly ValidationFact[];
  /** One for each vantage point whose monitor has started; pictures show the traffic of the first. */
  readonly logs: readonly VantageLog[];
  readonly rule: RunVantages['rule'];
  /** Of a run of several applications; empty for one. */
  readonly applications: readonly ApplicationEvidence[];
}
/** What concerns one application: its facts, and its samples in each log. */
export interface ApplicationEvidence {
  readonly name: string;
  readonly url: string;
  readonly facts: readonly ValidationFact[];
  readonly logs: readonly VantageLog[];
}

/** Takes the bytes of the files as they come; `read` returns their content so far. */
export interface EvidenceReader {
  readonly journal: (chunk: Uint8Array) => void;
  readonly downtimeLog: (chunk: Uint8Array, file?: string) => void;
  /** The downtime logs that the journal names, so far. */
  readonly logFiles: () => readonly string[];
  readonly read: () => Evidence;
}

/** An incomplete last line does not count until the rest of it has come. */
export function evidenceReader(): EvidenceReader {
  const facts: ValidationFact[] = [];
  const read = factReader<ValidationFact>(isValidationFact);
  const decoder = new TextDecoder();
  const chunks = new Map<string, Uint8Array[]>();
  let torn = '';
  return {
    journal(chunk) {
      const lines = (torn + decoder.decode(chunk, { stream: true })).split('\n');
      torn = lines.pop() ?? '';
      for (const line of lines) facts.push(...read(line));
    },
    downtimeLog(chunk, file = runFiles.downtimeLog) {
      chunks.set(file, [...(chunks.get(file) ?? []), chunk]);
    },
    logFiles: () => vantagesOf(facts).logs.map(({ file }) => file),
    read() {
      const { rule, logs: named } = vantagesOf(facts);
      const logsOf = (url?: string) => named.flatMap((one) => logOf(one, chunks.get(one.file), url));
      return { facts: [...facts], rule, logs: logsOf(), applications: applicationsIn(facts, logsOf) };
    },
  };
}

function applicationsIn(
  facts: readonly ValidationFact[],
  logsOf: (url: string) => readonly VantageLog[],
): readonly ApplicationEvidence[] {
  const settings = runStarted(facts)?.settings;
  const all = settings === undefined ? [] : applicationsOf(settings);
  if (all.length < 2) return [];
  const [names, own] = [namesOf(all), factsByApplication(facts)];
  return all.map(({ url }, index) => ({ name: names[index] ?? '', url, facts: own[index] ?? [], logs: logsOf(url) }));
}

/** Reads the log from its beginning each time, because a later line may belong before earlier ones. */
function logOf(
  vantage: Omit<VantageLog, 'log'>,
  chunks: readonly Uint8Array[] = [],
  url?: string,
): readonly VantageLog[] {
  if (chunks.length === 0) return [];
  const reader = downtimeLogReader(url);
  for (const chunk of chunks) reader.push(chunk);
  return [{ ...vantage, log: reader.end() }];
}

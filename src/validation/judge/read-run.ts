import type { Files } from '../../host/host.ts';
import { readJournal } from '../../journal/journal.ts';
import { applicationsOf } from '../applications.ts';
import { type DowntimeLog, downtimeWithin, readDowntimeLog, reusedWithin } from '../downtime/read-downtime-log.ts';
import type { LogPart } from '../downtime-log/downtime-log.ts';
import type { RunVantages, ValidationFact } from '../record/events.ts';
import { isValidationFact } from '../record/fact-shape.ts';
import { runStarted, runVantages } from '../record/records.ts';
import { runFiles } from '../record/run-folder.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { withSpan } from '../window-downtime.ts';
import { judgeApplications, judgeScenarioOfAll, type LogOf } from './judge-applications.ts';
import type { LogView } from './log-view.ts';
import type { ProbeSettings, RunResult, ScenarioResult } from './run-result.ts';
import { type VantageLog, vantageLogView } from './vantage-log-view.ts';

/** A run, read from its journal and its downtime log. */
export interface ReadRun {
  readonly facts: readonly ValidationFact[];
  readonly result: RunResult;
}

/** Reads the journal and the downtime log of a run folder and judges the run. Undefined if the folder holds no run. */
export async function readRun(files: Files, folder: string): Promise<ReadRun | undefined> {
  const journal = await readJournal<ValidationFact>(files, `${folder}/${runFiles.journal}`, isValidationFact);
  if (journal === undefined) return undefined;
  const result = judgeApplications(journal.lines, await readLogs(files, folder, journal.lines));
  return result === undefined ? undefined : { facts: journal.lines, result };
}

/**
 * Judges the scenarios of a run that goes on, one by one as they end. Undefined if the folder holds no run. Each call
 * reads only the new part of the downtime log, because a scenario's window begins after the one before has closed.
 */
export function scenarioReader(
  files: Files,
  folder: string,
): (scenario: Scenario) => Promise<ScenarioResult | undefined> {
  const readTo = new Map<string, number>();
  return async (scenario) => {
    const journal = await readJournal<ValidationFact>(files, `${folder}/${runFiles.journal}`, isValidationFact);
    if (journal === undefined) return undefined;
    return judgeScenarioOfAll(journal.lines, await readLogs(files, folder, journal.lines, readTo), scenario);
  };
}

/** Each application has the samples of its address; a single application has those of any address. */
async function readLogs(
  files: Files,
  folder: string,
  facts: readonly ValidationFact[],
  readTo = new Map<string, number>(),
): Promise<LogOf> {
  const started = runStarted(facts);
  const [first, ...further] = started === undefined ? [] : applicationsOf(started.settings);
  const urls = first === undefined || further.length === 0 ? [] : [first, ...further].map(({ url }) => url);
  const whole = urls.length === 0 ? await readLog(files, folder, facts, readTo) : emptyLogView;
  const views = new Map<string, LogView>();
  for (const url of urls) views.set(url, await readLog(files, folder, facts, readTo, url));
  return (url) => (url === undefined ? whole : (views.get(url) ?? emptyLogView));
}

/**
 * Empty if there is no log, as after a pre-check that stopped the run. Of each file only what comes after `readTo`,
 * which is moved to its end.
 */
export async function readLog(
  files: Files,
  folder: string,
  facts: readonly ValidationFact[] = [],
  readTo = new Map<string, number>(),
  url?: string,
): Promise<LogView> {
  const { rule, logs: named } = vantagesOf(facts);
  const logs: VantageLog[] = [];
  for (const { name, file } of named) {
    const path = `${folder}/${file}`;
    if ((await files.stat(path)) === undefined) continue;
    const place = `${file} ${url ?? ''}`;
    const { toByte, ...log } = await readDowntimeLog(files, path, readTo.get(place), url);
    readTo.set(place, toByte);
    logs.push({ name, file, log });
  }
  return viewOf(logs, rule);
}

/** The probers of a run with their logs; one where nothing is said, as before there was a fact. */
export const vantagesOf = (facts: readonly ValidationFact[]): RunVantages => runVantages(facts) ?? oneVantage;

const oneVantage: RunVantages = { rule: 'any', logs: [{ name: '', file: runFiles.downtimeLog }] };

/** What a run is judged by: its log, or those of its vantage points merged by their rule. */
export function viewOf(logs: readonly VantageLog[], rule: RunVantages['rule']): LogView {
  const [first, ...more] = logs;
  if (first === undefined) return emptyLogView;
  return more.length === 0 ? logViewOf(first.log) : { ...probeIn(first.log), ...vantageLogView(logs, rule) };
}

export function logViewOf(log: DowntimeLog): LogView {
  const { outages, episodes } = downtimeWithin(log);
  return {
    outages,
    episodes,
    ...probeIn(log),
    downtimeIn: (from, to) => downtimeWithin(log, { from, to }).downtime,
    reusedIn: (from, to) => reusedWithin(log, { from, to }),
  };
}

const probeIn = ({ settings }: DowntimeLog): Pick<LogView, 'probe' | 'target' | 'resolutionSeconds'> =>
  settings === undefined
    ? {}
    : { probe: probeOf(settings), target: settings.targets[0], resolutionSeconds: settings.resolutionSeconds };

function probeOf({ intervalSeconds, timeoutSeconds, slowSeconds, expect }: LogPart): ProbeSettings {
  return { intervalSeconds, timeoutSeconds, slowSeconds, expect };
}

/** For a run without a log. */
export const emptyLogView: LogView = {
  outages: [],
  episodes: [],
  downtimeIn: () =>
    withSpan({
      seconds: 0,
      lowerSeconds: 0,
      upperSeconds: 0,
      slowSeconds: 0,
      samples: 0,
      bad: 0,
      unknown: 0,
      unknownSeconds: 0,
    }),
};

import type { Files } from '../../host/host.ts';
import { readJournal } from '../../journal/journal.ts';
import { type DowntimeLog, downtimeWithin, readDowntimeLog, reusedWithin } from '../downtime/read-downtime-log.ts';
import type { LogPart } from '../downtime-log/downtime-log.ts';
import type { ValidationFact } from '../record/events.ts';
import { runFiles } from '../record/run-folder.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { judgeOne, judgeRun } from './judge-run.ts';
import type { LogView } from './log-view.ts';
import type { ProbeSettings, RunResult, ScenarioResult } from './run-result.ts';

/** A run, read from its journal and its downtime log. */
export interface ReadRun {
  readonly facts: readonly ValidationFact[];
  readonly result: RunResult;
}

/** Reads the journal and the downtime log of a run folder and judges the run. Undefined if the folder holds no run. */
export async function readRun(files: Files, folder: string): Promise<ReadRun | undefined> {
  const journal = await readJournal<ValidationFact>(files, `${folder}/${runFiles.journal}`);
  if (journal === undefined) return undefined;
  const result = judgeRun(journal.lines, await readLog(files, folder));
  return result === undefined ? undefined : { facts: journal.lines, result };
}

/**
 * Judges the scenarios of a run that goes on, one by one as they end. Undefined if the folder holds no run. Each call reads only the new part of the
 * downtime log, because a scenario's window begins after the one before has closed.
 */
export function scenarioReader(
  files: Files,
  folder: string,
): (scenario: Scenario) => Promise<ScenarioResult | undefined> {
  const path = `${folder}/${runFiles.downtimeLog}`;
  let fromByte = 0;
  return async (scenario) => {
    const journal = await readJournal<ValidationFact>(files, `${folder}/${runFiles.journal}`);
    const isThere = (await files.stat(path)) !== undefined;
    const log = isThere ? await readDowntimeLog(files, path, fromByte) : undefined;
    fromByte = log?.toByte ?? 0;
    return journal && judgeOne(journal.lines, log === undefined ? emptyLogView : logViewOf(log), scenario);
  };
}

/** Empty if there is no log, as after a pre-check that stopped the run. */
export async function readLog(files: Files, folder: string): Promise<LogView> {
  const path = `${folder}/${runFiles.downtimeLog}`;
  if ((await files.stat(path)) === undefined) return emptyLogView;
  return logViewOf(await readDowntimeLog(files, path));
}

export function logViewOf(log: DowntimeLog): LogView {
  const { outages, episodes } = downtimeWithin(log);
  return {
    outages,
    episodes,
    ...(log.settings === undefined ? {} : { probe: probeOf(log.settings) }),
    downtimeIn: (from, to) => downtimeWithin(log, { from, to }).downtime,
    reusedIn: (from, to) => reusedWithin(log, { from, to }),
  };
}

function probeOf({ intervalSeconds, timeoutSeconds, slowSeconds, expect }: LogPart): ProbeSettings {
  return { intervalSeconds, timeoutSeconds, slowSeconds, expect };
}

/** For a run without a log. */
export const emptyLogView: LogView = {
  outages: [],
  episodes: [],
  downtimeIn: () => ({
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

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

/** A run as its two files tell it. */
export interface ReadRun {
  readonly facts: readonly ValidationFact[];
  readonly result: RunResult;
}

/** Reads the journal and the downtime log of a run folder and judges them; undefined when there is no run in it. */
export async function readRun(files: Files, folder: string): Promise<ReadRun | undefined> {
  const journal = await readJournal<ValidationFact>(files, `${folder}/${runFiles.journal}`);
  if (journal === undefined) return undefined;
  const result = judgeRun(journal.lines, await readLog(files, folder));
  return result === undefined ? undefined : { facts: journal.lines, result };
}

/**
 * Judges the scenarios of a run that goes on, each when it has ended: undefined when there is no run in the folder. Of the downtime log it
 * reads what was written since it was asked last, for a scenario's window begins after the one before it has closed.
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
    return journal && judgeOne(journal.lines, log === undefined ? nothingSeen : logViewOf(log), scenario);
  };
}

/** A run that the pre-check stopped has no log yet: then nothing was seen. */
export async function readLog(files: Files, folder: string): Promise<LogView> {
  const path = `${folder}/${runFiles.downtimeLog}`;
  if ((await files.stat(path)) === undefined) return nothingSeen;
  return logViewOf(await readDowntimeLog(files, path));
}

/** Pure. The log as a judge reads it. */
export function logViewOf(log: DowntimeLog): LogView {
  return {
    outages: downtimeWithin(log).outages,
    ...(log.settings === undefined ? {} : { probe: probeOf(log.settings) }),
    downtimeIn: (from, to) => downtimeWithin(log, { from, to }).downtime,
    reusedIn: (from, to) => reusedWithin(log, { from, to }),
  };
}

function probeOf({ intervalSeconds, timeoutSeconds, slowSeconds, expect }: LogPart): ProbeSettings {
  return { intervalSeconds, timeoutSeconds, slowSeconds, expect };
}

/** Of a run that has no log yet. */
export const nothingSeen: LogView = {
  outages: [],
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

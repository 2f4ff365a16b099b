import { applicationsOf, namedIn, namesOf } from '../applications.ts';
import type { RehearsedApplication } from '../record/application-rehearsed.ts';
import type { ValidationFact } from '../record/events.ts';
import { factsByApplication } from '../record/of-applications.ts';
import { inTodaysForm } from '../record/older-facts.ts';
import { runStarted } from '../record/records.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { Settings } from '../settings.ts';
import { judgeOne, judgeRun, undoList } from './judge-run.ts';
import type { LogView } from './log-view.ts';
import type { RunResult, ScenarioResult } from './run-result.ts';
import { combinedScenario, withApplications } from './with-applications.ts';

/**
 * The part of the downtime log that a run is judged by: that of the only application, or of the one with that address.
 */
export type LogOf = (url: string | undefined) => LogView;

/**
 * Judges a run of one application or of several: each by its own facts and its own samples, as if it had been the only
 * one. The verdict, each criterion and each scenario are the worst of all.
 */
export function judgeApplications(written: readonly ValidationFact[], logOf: LogOf): RunResult | undefined {
  const facts = inTodaysForm(written);
  const applications = validated(facts);
  if (applications.length < 2) return judgeRun(facts, logOf(undefined));
  const results = factsByApplication(facts).flatMap((own, index) => {
    const application = applications[index];
    const result = application && judgeRun(own, logOf(application.url), facts);
    return result === undefined || application === undefined ? [] : [{ ...application, result }];
  });
  const [first, ...others] = results;
  if (first === undefined) return undefined;
  const { assumptions: _, ...result } = withApplications(
    first.result,
    results.map(({ application }) => application),
    others.map(({ application, result: { verdict, scenarios, criteria, findings } }) => ({
      application,
      verdict,
      scenarios,
      criteria,
      findings,
    })),
  );
  const names = namesOf(applications.map(({ settings }) => settings));
  const ofEach = <T extends { readonly from: string }>(of: (one: RunResult) => readonly T[]) =>
    results
      .flatMap((one, index) => of(one.result).map((item) => ({ ...item, application: names[index] ?? '' })))
      .toSorted((a, b) => a.from.localeCompare(b.from));
  return {
    ...result,
    outages: ofEach(({ outages }) => outages),
    episodes: ofEach(({ episodes }) => episodes),
    replacements: distinct(results.flatMap((one) => one.result.replacements)),
    undo: undoList(facts),
  };
}

/** One scenario of a run that may still go on. */
export function judgeScenarioOfAll(
  written: readonly ValidationFact[],
  logOf: LogOf,
  scenario: Scenario,
): ScenarioResult | undefined {
  const facts = inTodaysForm(written);
  const applications = validated(facts);
  if (applications.length < 2) return judgeOne(facts, logOf(undefined), scenario);
  const rows = factsByApplication(facts).flatMap((own, index) => {
    const application = applications[index];
    const row = application && judgeOne(own, logOf(application.url), scenario, facts);
    return row === undefined || application === undefined ? [] : [{ application: application.application, row }];
  });
  return combinedScenario(rows);
}

interface Validated {
  readonly application: RehearsedApplication;
  readonly settings: Settings;
  readonly url: string;
}

function validated(facts: readonly ValidationFact[]): readonly Validated[] {
  const started = runStarted(facts);
  if (started === undefined) return [];
  return applicationsOf(started.settings).map((settings) => {
    const { hostname: host, pathname: path } = new URL(settings.url);
    return { settings, url: settings.url, application: { ...namedIn(settings), host, path } };
  });
}

/** A pool of several applications is judged for each of them. */
function distinct(all: RunResult['replacements']): RunResult['replacements'] {
  return [...new Map(all.map((one) => [`${one.nodeClaim} ${one.at}`, one])).values()];
}

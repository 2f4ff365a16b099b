import { downtimeText, readableDuration } from '../../figures/figures.js';
import type { ScenarioResult } from '../../validation/judge/run-result.ts';
import type { ScenarioInconclusive, ValidationFact } from '../../validation/record/events.ts';
import type { Mark } from '../terminal/screen.ts';

/** Something that is finished, as a live terminal keeps it. */
export interface Finished {
  readonly mark: Mark;
  readonly sentence: string;
}

const ofSeverity = { info: 'good', warning: 'unknown', error: 'bad' } as const;
const ofOutcome = { met: 'good', 'not-met': 'bad', inconclusive: 'unknown', noted: 'good' } as const;

/** How a scenario without a result ended. One that broke off may still have failed, by what was seen until then. */
export function endedWithout({ needless, brokenOff }: ScenarioInconclusive): string {
  if (needless === true) return 'has nothing to disturb';
  return brokenOff === true ? 'broke off' : 'is inconclusive';
}

/** What a fact finishes. Of the checks before the run only those in trouble have a line of their own. */
export function finishedBy(fact: ValidationFact): readonly Finished[] {
  switch (fact.type) {
    case 'check-finished': {
      const { severity, subject, expected, observed } = fact.finding;
      if (severity === 'info') return [];
      return [{ mark: ofSeverity[severity], sentence: `${subject}: ${observed}; expected: ${expected}` }];
    }
    case 'application-verified':
      return fact.expectations.map(({ outcome, expected, observed }) => ({
        mark: ofOutcome[outcome],
        sentence: `${capital(expected)}: ${observed}`,
      }));
    case 'action-failed':
      return [{ mark: 'bad', sentence: `An action failed: ${fact.because}` }];
    case 'scenario-inconclusive': {
      const sentence = `${fact.scenario} ${endedWithout(fact)}: ${fact.because}`;
      return [{ mark: fact.needless ? 'left-out' : 'unknown', sentence }];
    }
    case 'scenario-blocked':
      return fact.obstacles.map(({ observed }) => ({
        mark: 'bad',
        sentence: `${fact.scenario} is blocked: ${observed}`,
      }));
    case 'run-interrupted':
      return [{ mark: 'unknown', sentence: `Stopped by ${fact.signal}: every change is being undone` }];
    case 'run-aborted':
      return [{ mark: 'bad', sentence: `Ended early, ${fact.because}: every change is being undone` }];
    case 'run-failed':
      return [{ mark: 'bad', sentence: `The run failed: ${fact.because}` }];
    default:
      return [];
  }
}

/** How many of the mandatory checks were good, once all are made. */
export function checksFinished(good: number, all: number): Finished {
  const sentence = `Pre-check: ${good === all ? `all ${all}` : `${good} of ${all}`} checks are as they must be`;
  return { mark: good === all ? 'good' : 'bad', sentence };
}

const ofVerdict = { pass: 'good', fail: 'bad', inconclusive: 'unknown', 'not-tested': 'left-out' } as const;

/** A scenario that has ended, with its downtime and how long it took. */
export function scenarioFinished({ verdict, title, downtime }: ScenarioResult, tookSeconds: number): Finished {
  const measured = downtime === null ? 'not measured' : downtimeText(downtime);
  return { mark: ofVerdict[verdict], sentence: `${title}: ${measured}, took ${readableDuration(tookSeconds)}` };
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

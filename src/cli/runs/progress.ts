import type { Output } from '../../host/host.ts';
import type { ValidationFact } from '../../validation/record/events.ts';
import type { Finding } from '../../validation/finding.ts';
import { clocksText } from '../../validation/predict/predicted-text.ts';
import type { ScenarioResult } from '../../validation/judge/run-result.ts';
import type { Paint } from '../command/text.ts';

/** Tells people what a run is doing, on standard error, one line a step. */
export interface Progress {
  readonly heard: (fact: ValidationFact) => void;
  readonly scenarioEnded: (result: ScenarioResult) => void;
}

export function progress(talk: Output, colors: Paint, quiet: boolean): Progress {
  const say = (line: string): void => {
    if (!quiet) talk.write(`${line}\n`);
  };
  let isReal = false;
  return {
    heard(fact) {
      if (fact.type === 'run-started') isReal = fact.run.kind === 'cluster';
      const line = (isReal ? deedLine(fact) : undefined) ?? lineOf(fact);
      if (line !== undefined) say(colors.faint(line));
    },
    scenarioEnded({ verdict, title, downtime }) {
      const mark = { pass: colors.good, fail: colors.bad, inconclusive: colors.doubtful, 'not-tested': colors.faint }[
        verdict
      ];
      const down = downtime === null ? '' : `, ${downtime.seconds.toFixed(1)} s of downtime`;
      say(`${mark(verdict)} ${title}${down}`);
    },
  };
}

/** Whoever owns the cluster sees what is done to it, as it is done. */
function deedLine(fact: ValidationFact): string | undefined {
  if (fact.type !== 'action-intended') return undefined;
  return `${fact.scenario ?? 'phase 3'}: ${fact.action}: ${fact.subject}`;
}

/** Only what a person waits for; the rest stands in the journal. */
function lineOf(fact: ValidationFact): string | undefined {
  switch (fact.type) {
    case 'check-finished':
      return checkLine(fact.mandatory ? 'pre-check' : 'found', fact.finding);
    case 'scenario-predicted':
      return `${fact.scenario}: expected ${clocksText(fact.prediction)}`;
    case 'application-verified':
      return fact.expectations.map(({ expected, observed }) => `phase 3: ${expected}: ${observed}`).join('\n');
    case 'action-undone':
      return fact.state === 'failed' ? `NOT UNDONE: ${fact.because}` : undefined;
    case 'scenario-inconclusive':
      return `${fact.scenario}: ${fact.because}`;
    case 'run-interrupted':
      return `Stopped by ${fact.signal}: undoing what was done.`;
    case 'run-aborted':
      return `Ended early: ${fact.because}. Undoing what was done.`;
    case 'run-failed':
      return `The run failed: ${fact.because}`;
    default:
      return undefined;
  }
}

/** What is as it should be and stops nobody is not worth a line. */
function checkLine(
  what: 'pre-check' | 'found',
  { severity, subject, expected, observed }: Finding,
): string | undefined {
  if (severity === 'info') return what === 'found' ? undefined : `${what}: ${subject}: ${observed}`;
  return `${what}: ${subject}: expected ${expected}; observed ${observed}`;
}

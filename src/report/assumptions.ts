import { chosenDuration } from '../figures/figures.js';
import { formatDuration } from '../settings/duration.ts';
import { applicationName } from '../validation/applications.ts';
import type { Finding } from '../validation/finding.ts';
import type { RunResult, Verdict } from '../validation/judge/run-result.ts';
import { rangeOf } from '../validation/record/assumption-range.ts';
import type { Assumption } from '../validation/record/events.ts';

/** What manifests do not say, as rows: the setting, its value, and where the verdict turns. */
export function assumptionRows({
  assumptions = [],
  applications = [],
  verdict,
}: Pick<RunResult, 'assumptions' | 'applications' | 'verdict'>) {
  return assumptions.map((one) => {
    const own =
      applications.find((other) => applicationName(other, applications) === one.application)?.verdict ?? verdict;
    return [one.setting, valueText(one.value), turnSentence(one, own)] as const;
  });
}

const does: Readonly<Record<Verdict, string>> = {
  pass: 'passes',
  fail: 'fails',
  inconclusive: 'is inconclusive',
  error: 'ends with an error',
};

const valueText = (value: number | boolean): string =>
  typeof value === 'number' ? formatDuration(value) : value ? 'yes' : 'no';

function turnSentence({ name, value, turnsAt, byChanceAt = [] }: Assumption, verdict: Verdict): string {
  const chance = byChanceAt.length === 0 ? '' : `; chance decides at ${chanceText(byChanceAt)}`;
  return turnText({ name, value, turnsAt }, verdict) + chance;
}

const mostShown = 4;

function chanceText(seconds: readonly number[]): string {
  const shown = seconds.slice(0, mostShown).map(formatDuration).join(', ');
  return seconds.length > mostShown ? `${shown} and ${seconds.length - mostShown} more` : shown;
}

function turnText({ name, value, turnsAt }: Pick<Assumption, 'name' | 'value' | 'turnsAt'>, verdict: Verdict): string {
  const { step, most } = rangeOf(name);
  if (turnsAt === null)
    return `${does[verdict]} ${typeof value === 'number' ? `whatever it takes, from 0 s to ${chosenDuration(most)}` : 'either way'}`;
  if (!('seconds' in turnsAt))
    return `${does[verdict]}; ${does[turnsAt.verdict]} if the answer is ${valueText(turnsAt.value)}`;
  const { seconds, verdict: other, again = false } = turnsAt;
  const isMore = seconds > Number(value);
  const last = formatDuration(isMore ? seconds - step : seconds + step);
  const bound = isMore ? `as long as it takes at most ${last}` : `as long as it takes at least ${last}`;
  const turn = isMore ? 'from' : 'up to';
  const not = again ? ', but not at every value' : '';
  return `${does[verdict]} ${bound}; ${does[other]} ${turn} ${formatDuration(seconds)}${not}`;
}

/** The field to change for a finding, for people: `web.yaml:14 spec.replicas`. */
export const placeText = ({ at }: Finding): string | undefined =>
  at ? `${at.file}:${at.line} ${at.field}` : undefined;

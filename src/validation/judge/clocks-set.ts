import { secondsText } from '../../figures/figures.js';
import { type Finding, witnessesApart } from '../finding.ts';
import type { ValidationFact } from '../record/events.ts';
import { ofType } from '../record/records.ts';

/** Findings about clocks that were set during the run. */
export const clocksSet = (facts: readonly ValidationFact[]): readonly Finding[] => [
  ...ofLogs(facts),
  ...ofThisMachine(facts),
];

/**
 * A followed log whose times and whose lines' arrivals contradict each other: an outage of that moment is wrong by so
 * much, and may lie beside its scenario.
 */
function ofLogs(facts: readonly ValidationFact[]): readonly Finding[] {
  return ofType(facts, 'log-clock-set').map(({ at, file, seconds }) => ({
    id: witnessesApart,
    severity: 'warning',
    subject: file,
    expected: 'the clock of its machine runs as this one’s',
    observed: `${setText(seconds)}, or this one the other way, before ${at}`,
    advice: 'synchronise both by NTP, and run again: an outage at that moment is longer or shorter by so much',
  }));
}

/** The run itself is not affected, because its times follow the monotonic clock. */
function ofThisMachine(facts: readonly ValidationFact[]): readonly Finding[] {
  return ofType(facts, 'clock-set').map(({ at, seconds }) => ({
    id: 'clock-set',
    severity: 'warning',
    subject: 'clock of this machine',
    expected: 'nobody sets it while the run goes on',
    observed: `${setText(seconds)} before ${at}`,
    advice:
      'nothing of this run is wrong by it: its log and its journal go on by the clock as it was when the run began. Compare them with other logs by that clock',
  }));
}

const setText = (seconds: number): string =>
  `it was set ${seconds > 0 ? 'ahead' : 'back'} by ${secondsText(Math.abs(seconds))}`;

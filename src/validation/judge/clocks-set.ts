import type { Finding } from '../finding.ts';
import type { ValidationFact } from '../record/events.ts';
import { ofType } from '../record/records.ts';

/** A followed log whose times and whose lines' arrivals contradict each other: an outage of that moment is wrong by so much, and may lie beside its scenario. */
export function clocksSet(facts: readonly ValidationFact[]): readonly Finding[] {
  return ofType(facts, 'log-clock-set').map(({ at, file, seconds }) => ({
    id: 'witnesses',
    severity: 'warning',
    subject: file,
    expected: 'the clock of its machine runs as this one’s',
    observed: `it was set ${seconds > 0 ? 'ahead' : 'back'} by ${Math.abs(seconds)} s, or this one the other way, before ${at}`,
    advice: 'synchronise both by NTP, and run again: an outage at that moment is longer or shorter by so much',
  }));
}

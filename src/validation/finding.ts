/** One thing that was looked at: what was expected, what was there, what to do (contract section 4). */
export interface Finding {
  readonly id: string;
  readonly severity: 'info' | 'warning' | 'error';
  readonly subject: string;
  readonly expected: string;
  readonly observed: string;
  readonly advice: string;
}

/** Whether evidence supports a statement: it does, it speaks against it, or there is not enough of it either way. */
export type Outcome = 'met' | 'not-met' | 'inconclusive';

/** A statement of the specification about a scenario, judged. */
export interface Expectation {
  readonly id: string;
  readonly expected: string;
  /** `noted`: measured and said, and decides nothing. */
  readonly outcome: Outcome | 'noted';
  readonly observed: string;
  readonly advice?: string;
}

/** The worst of several outcomes: one that is not met decides, then one that is inconclusive. */
export function worst(outcomes: readonly Expectation['outcome'][]): Outcome {
  if (outcomes.includes('not-met')) return 'not-met';
  return outcomes.includes('inconclusive') ? 'inconclusive' : 'met';
}

/** An expectation as a finding of the report. */
export function findingOf(subject: string, expectation: Expectation): Finding {
  const severity = { met: 'info', noted: 'info', 'not-met': 'error', inconclusive: 'warning' } as const;
  return {
    id: expectation.id,
    severity: severity[expectation.outcome],
    subject,
    expected: expectation.expected,
    observed: expectation.observed,
    advice: expectation.advice ?? '',
  };
}

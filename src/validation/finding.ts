/** One thing that was looked at: what was expected, what was observed, what to do (docs/contract.md, "report.json"). */
/**
 * Times that the API and this machine, or two clocks, tell differently. They decide nothing: node and pod times are
 * only reported.
 */
export const witnessesApart = 'witnesses';

export interface Finding {
  readonly id: string;
  readonly severity: 'info' | 'warning' | 'error';
  readonly subject: string;
  /** The Kubernetes object that the subject names; absent where it names none, or several. */
  readonly object?: { readonly kind: string; readonly namespace?: string; readonly name: string };
  readonly expected: string;
  readonly observed: string;
  readonly advice: string;
  /** The field that keeps something from ever happening; absent where something else is the reason. */
  readonly because?: Cause & { readonly at?: ManifestPlace | null };
  /** The applications that it is about, by their names among each other; absent where it is about all of the run. */
  readonly of?: readonly string[];
  /** The field to change in the manifests of `rehearse -f`; null if they do not decide it, absent without them. */
  readonly at?: ManifestPlace | null;
}

/** A field of an object, which keeps something from ever happening. */
export interface Cause {
  readonly kind: string;
  readonly name: string;
  readonly field: string;
}

/** What keeps something from ever happening, and how to take it away. */
export interface Obstacle {
  readonly because: Cause;
  readonly observed: string;
  readonly advice: string;
}

/** What a check found. */
export interface CheckFinding extends Finding {
  /** The rules whose fields of the manifests may be why, the likeliest first; absent where it is the check's own. */
  readonly rules?: readonly string[];
}

/** A field of a manifest; the line, from 1, is that of the nearest field around it if it is not written. */
export interface ManifestPlace {
  readonly file: string;
  readonly line: number;
  readonly field: string;
}
/** Whether the evidence supports a statement, contradicts it, or is not enough to decide. */
export type Outcome = 'met' | 'not-met' | 'inconclusive';

/** A statement of the specification about a scenario, with its outcome. */
export interface Expectation {
  readonly id: string;
  readonly expected: string;
  /** `noted`: measured and reported; it decides nothing. */
  readonly outcome: Outcome | 'noted';
  readonly observed: string;
  readonly advice?: string;
  /** The rules of the audit that the advice is about, if it is one of several that the scenario may give. */
  readonly rules?: readonly string[];
  /** Why it can never be met. */
  readonly because?: Cause;
  /**
   * Of the note on who else is on a node (record/neighbours-note.ts): the node, and the pods of others as
   * `namespace/name`.
   */
  readonly neighbours?: { readonly node: string; readonly others: readonly string[] };
}

/** What to do, and the rules of the audit whose fields that changes. */
export type Advice = Required<Pick<Expectation, 'advice' | 'rules'>>;

/** The worst of several outcomes: not met if one is not met, otherwise inconclusive if one is inconclusive. */
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
    ...(expectation.because && { because: expectation.because }),
  };
}

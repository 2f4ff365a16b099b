import type { Expectation, Finding } from '../finding.ts';
import { withSpan } from '../window-downtime.ts';
import type { SeededResult, ValidationFact } from './events.ts';

/**
 * The facts with the fields that journals of version 0.1.0 lack: there the program read them out of its own sentences,
 * and it is done here alone. A fact that has the field already is left as it is.
 */
export const inTodaysForm = (facts: readonly ValidationFact[]): readonly ValidationFact[] => facts.map(inForm);

function inForm(fact: ValidationFact): ValidationFact {
  switch (fact.type) {
    case 'scenario-noted':
      return { ...fact, expectation: withNeighbours(fact.expectation) };
    case 'scenario-inconclusive':
      return fact.rules === undefined && fact.because.startsWith('consolidationPolicy of the pool is')
        ? { ...fact, rules: ['consolidation-policy'] }
        : fact;
    case 'check-finished':
      return { ...fact, finding: withObject(fact.finding) };
    case 'application-rehearsed':
      return {
        ...fact,
        findings: fact.findings.map(withObject),
        scenarios: fact.scenarios.map((one) => ({ ...one, downtime: one.downtime && withSpan(one.downtime) })),
      };
    case 'rehearsed-against':
      return { ...fact, before: fact.before.map(withSpans), after: fact.after.map(withSpans) };
    default:
      return fact;
  }
}

/** In those of version 0.1.0 the bounds are of all outages together. */
const withSpans = ({ scenarios, ...result }: SeededResult): SeededResult => ({
  ...result,
  scenarios: scenarios.map((one) => ({
    ...one,
    downtime: one.downtime && { ...withSpan(one.downtime), ...one.downtime },
  })),
});

function withNeighbours(note: Expectation): Expectation {
  if (note.id !== 'neighbours' || note.neighbours !== undefined) return note;
  const node = note.expected.replace(/^who else is on /, '');
  const isNobody = note.observed === 'nobody but the application and what runs on every node';
  return { ...note, neighbours: { node, others: isNobody ? [] : note.observed.split(', ') } };
}

/** `Deployment default/shop`; the application's check named it without its kind. */
function withObject<F extends Finding>(finding: F): F {
  const [, kind = 'Deployment', namespace, name] = /^(?:(\w+) )?([\w.-]+)\/([\w.-]+)$/.exec(finding.subject) ?? [];
  if (finding.object !== undefined || namespace === undefined || name === undefined) return finding;
  return { ...finding, object: { kind, namespace, name } };
}

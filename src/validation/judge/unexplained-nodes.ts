import type { Finding } from '../finding.ts';
import type { ValidationFact } from '../record/events.ts';
import type { History } from '../record/history.ts';
import { ofType } from '../record/records.ts';

/** A time in which nodes may come for what the run does: phase 3, and each scenario with its baseline. Epoch milliseconds. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Pure. NodeClaims of the pool that came while this run did nothing: they are attributed too, and fail nothing (facts 3.6). */
export function arrivalFindings(facts: readonly ValidationFact[], history: History): readonly Finding[] {
  const spans = activeSpans(facts);
  const [first] = ofType(facts, 'cluster-watched').filter(({ kind }) => kind === 'NodeClaim');
  const watchedAt = first === undefined ? Number.POSITIVE_INFINITY : Date.parse(first.at);
  return history.changes.flatMap(({ kind, change, name, instant }) => {
    if (kind !== 'NodeClaim' || change !== 'added' || instant <= watchedAt) return [];
    if (spans.some(({ from, to }) => instant >= from && instant <= to)) return [];
    return [foreign(name, instant)];
  });
}

function activeSpans(facts: readonly ValidationFact[]): readonly Span[] {
  const end = instantOf(facts.at(-1));
  const spans: Span[] = [{ from: instantOf(facts[0]), to: instantOf(ofType(facts, 'application-verified')[0]) || end }];
  facts.forEach((fact, index) => {
    if (fact.type !== 'scenario-started') return;
    const finished = facts.slice(index).find(({ type }) => type === 'scenario-finished');
    spans.push({ from: instantOf(fact), to: instantOf(finished) || end });
  });
  return spans;
}

const instantOf = (fact: { readonly at: string } | undefined): number => Date.parse(fact?.at ?? '');

const foreign = (name: string, at: number): Finding => ({
  id: 'node-arrival',
  severity: 'warning',
  subject: `NodeClaim ${name}`,
  expected: 'nodes come for what this run does',
  observed: `it came at ${new Date(at).toISOString()}, while nothing was disturbed`,
  advice: 'see whose pods it is for, or which node it replaces: kubectl describe nodeclaim',
});

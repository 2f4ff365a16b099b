import type { Finding } from '../finding.ts';
import type { ValidationFact } from '../record/events.ts';
import type { History } from '../record/history.ts';
import { ofType } from '../record/records.ts';

/** A time in which the run may cause new nodes: phase 3, and each scenario with its baseline. Epoch milliseconds. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * One warning for each NodeClaim of the pool that was created while the run, of which `whole` are all facts, did
 * nothing. It makes no run fail.
 */
export function unexplainedNodes(
  facts: readonly ValidationFact[],
  history: History,
  whole: readonly ValidationFact[] = facts,
): readonly Finding[] {
  const spans = activeSpans(whole);
  const [first] = ofType(facts, 'cluster-watched').filter(({ kind }) => kind === 'NodeClaim');
  const watchedAt = first === undefined ? Number.POSITIVE_INFINITY : Date.parse(first.at);
  return history.changes.flatMap(({ kind, change, name, instant }) => {
    if (kind !== 'NodeClaim' || change !== 'added' || instant <= watchedAt) return [];
    if (spans.some(({ from, to }) => instant >= from && instant <= to)) return [];
    return [unexplained(name, instant)];
  });
}

function activeSpans(facts: readonly ValidationFact[]): readonly Span[] {
  const end = instantOf(facts.at(-1));
  const spans: Span[] = [
    { from: instantOf(facts[0]), to: instantOf(ofType(facts, 'application-verified').at(-1)) || end },
  ];
  facts.forEach((fact, index) => {
    if (fact.type !== 'scenario-started') return;
    const finished = facts.slice(index).find(({ type }) => type === 'scenario-finished');
    spans.push({ from: instantOf(fact), to: instantOf(finished) || end });
  });
  return spans;
}

const instantOf = (fact: { readonly at: string } | undefined): number => Date.parse(fact?.at ?? '');

const unexplained = (name: string, at: number): Finding => ({
  id: 'node-arrival',
  severity: 'warning',
  subject: `NodeClaim ${name}`,
  expected: 'new nodes are created only because of this run',
  observed: `it was created at ${new Date(at).toISOString()}, while this run disturbed nothing`,
  advice: 'see whose pods it is for, or which node it replaces: kubectl describe nodeclaim',
});

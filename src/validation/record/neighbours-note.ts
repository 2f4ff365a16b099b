import type { Expectation } from '../finding.ts';

/** Who else is affected when the node goes; `others` are `namespace/name`. */
export function neighboursNote(node: string, others: readonly string[]): Expectation {
  const observed = others.length === 0 ? 'nobody but the application and what runs on every node' : others.join(', ');
  const neighbours = { node, others };
  return { id: 'neighbours', expected: `who else is on ${node}`, outcome: 'noted', observed, neighbours };
}

/** The nodes of which such notes name others: without the application's pods they are not empty. */
export function sharedNodes(notes: readonly Expectation[]): ReadonlySet<string> {
  const named = notes.flatMap(({ neighbours }) => neighbours ?? []);
  return new Set(named.filter(({ others }) => others.length > 0).map(({ node }) => node));
}

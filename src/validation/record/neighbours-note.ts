import type { Expectation } from '../finding.ts';

const id = 'neighbours';
const head = 'who else is on ';
const nobody = 'nobody but the application and what runs on every node';

/** Who else is affected when the node goes; `others` are `namespace/name`. */
export function neighboursNote(node: string, others: readonly string[]): Expectation {
  const observed = others.length === 0 ? nobody : others.join(', ');
  return { id, expected: `${head}${node}`, outcome: 'noted', observed };
}

/** The nodes of which such notes name others: without the application's pods they are not empty. */
export function sharedNodes(notes: readonly Expectation[]): ReadonlySet<string> {
  const shared = notes.filter((note) => note.id === id && note.observed !== nobody);
  return new Set(shared.map(({ expected }) => expected.slice(head.length)));
}

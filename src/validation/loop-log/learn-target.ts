import type { Row } from './layout.ts';
import type { Field } from './line-fields.ts';
import { stateOf } from './words.ts';

/** More names than this are no targets. */
const mostTargets = 200;
/** Of the time between two lines of one target: so much of them is near the usual one. */
const regularShare = 0.8;

/**
 * Whether a column names what was asked, so that the log is of several loops: each name comes in a rhythm of its own. The names of the servers that answered, which a load balancer
 * chooses, come by chance.
 */
export function isTargetColumn(values: readonly Field[], rows: readonly Row[]): boolean {
  if (!values.every(({ kind, text }) => kind === 'word' && stateOf(text) === undefined)) return false;
  const byName = Map.groupBy(rows, (_, index) => values[index]?.text ?? '');
  if (byName.size < 2 || byName.size > mostTargets) return false;
  return [...byName.values()].every(isRegular);
}

function isRegular(rows: readonly Row[]): boolean {
  const gaps = rows.slice(1).map(({ date }, index) => date.at - (rows[index]?.date.at ?? 0));
  const usual = gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)];
  if (usual === undefined || usual === 0 || gaps.length < 3) return false;
  // Times in whole seconds are up to one off.
  const spread = usual / 4 + (rows.every(({ date }) => date.fine) ? 0 : 1000);
  const near = gaps.filter((gap) => Math.abs(gap - usual) <= spread);
  return near.length >= regularShare * gaps.length;
}

// node packages/embedded-cluster/test/api-server/differential/compare.ts [--recording NAME] [--shrink] [--all] [--cause
// NAME] [NUMBER…]: replays the recorded requests, and prints the counts by cause and the differences of these requests,
// or of all those with that cause. With --shrink it takes those off the list that are answered alike. NAME is one of
// exchanges.ts; `cluster` if absent.
import { parseArgs } from 'node:util';
import { exchanges, type Recording } from './exchanges.ts';
import { countsByCause, listed, shrink } from './listed.ts';
import { replay } from './replay.ts';
import { described, summary } from './words.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    recording: { type: 'string', default: 'cluster' },
    shrink: { type: 'boolean' },
    cause: { type: 'string' },
    all: { type: 'boolean' },
  },
});
const recording = values.recording as Recording;
const replayed = await replay(exchanges(recording), recording);
if (values.shrink) shrink(replayed, recording);
const { causes, requests } = listed(recording);
const wanted = (number: number): boolean =>
  values.all === true ||
  positionals.includes(String(number)) ||
  (values.cause !== undefined && (requests[number] ?? '').split(' ').includes(values.cause));
for (const [number, one] of replayed.entries())
  if (one.differences.length > 0 && (wanted(number) || !(number in requests))) console.log(described(one, number));
for (const line of [...countsByCause({ causes, requests }), summary(replayed)]) console.log(line);

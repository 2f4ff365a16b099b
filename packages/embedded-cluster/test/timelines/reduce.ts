import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Seen, stepsOf } from './steps.ts';

/**
 * `node reduce.ts FOLDER POOL DEED SECONDS`: the steps of a recording for so long after the deed; its watches are lines
 * of JSON with `at`, both in epoch seconds.
 */
const [folder = '', pool = '', deedAt = '', seconds = ''] = process.argv.slice(2);
const kinds = ['nodepools', 'nodeclaims', 'nodes', 'pods', 'poddisruptionbudgets', 'events'];
const seen = readdirSync(folder)
  .filter((file) => kinds.includes(file.replace('.jsonl', '')))
  .flatMap((file) => readFileSync(join(folder, file), 'utf8').trim().split('\n'))
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Seen)
  .filter(({ object }) => object.metadata?.name !== undefined);
const rows = stepsOf(seen, pool, Number(deedAt))
  .filter(({ at }) => at <= Number(seconds))
  .map(({ at, what }) => `  ${JSON.stringify([at, what])}`);
process.stdout.write(`[\n${rows.join(',\n')}\n]\n`);

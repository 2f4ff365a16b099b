import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { isThorough } from '../../../packages/embedded-cluster/test/support/seeds.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const program = join(import.meta.dirname, '../../../bin/holdfast.js');
const run = promisify(execFile);

/** Two of the scenarios; the whole run with SEEDS=all. */
const scenarios = isThorough ? [] : ['--scenario', 'scale-up', 'single-replica'];

async function rehearse(folder: string, zone: string): Promise<Readonly<Record<string, string>>> {
  const words = [program, 'rehearse', '--seed', '7', '--out', folder, '--quiet', ...scenarios];
  await run(process.execPath, words, { env: { ...process.env, TZ: zone } });
  const files = ['downtime.log', 'report.json', 'journal.jsonl', 'report.md'];
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

test('the same seed gives the same bytes in another time zone and with all cores busy', async (t) => {
  const folder = temporaryFolder(t);
  const calm = await rehearse(join(folder, 'calm'), 'Asia/Kathmandu');
  const busy = cpus().map(() => spawn(process.execPath, ['-e', 'for (;;);']));
  t.after(() => busy.map((child) => child.kill('SIGKILL')));
  const other = await rehearse(join(folder, 'busy'), 'America/St_Johns');
  for (const [name, text] of Object.entries(calm)) assert.ok(text === other[name], `${name} differs`);
});

/**
 * An independent reader: the start of the first bad sample and of the first good one after it, on new connections, in
 * milliseconds since midnight.
 */
const reader = `
  /^#/ || /connection=reused/ { next }
  { split(substr($1, 12), t, /[:Z]/); at = sprintf("%.0f", (t[1] * 3600 + t[2] * 60 + t[3]) * 1000)
    bad = $2 != 200 || $3 > 1 || /error=/ || /body=no/; print at, bad }`;
const fold = `
  { if ($2 && !open) { from = $1; open = 1 } else if (!$2 && open) { print from, $1; open = 0 } }`;

test('a few lines of awk find the same outages in downtime.log as the report', async (t) => {
  const folder = join(temporaryFolder(t), 'run');
  const { 'report.json': report } = await rehearse(folder, 'UTC');
  const { outages } = JSON.parse(report ?? '');
  const { stdout } = await run('sh', [
    '-c',
    `awk '${reader}' "$1" | sort -n | awk '${fold}'`,
    'awk',
    join(folder, 'downtime.log'),
  ]);
  const found = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number));
  const sinceMidnight = (time: string): number => Date.parse(time) - Date.parse(`${time.slice(0, 10)}T00:00:00Z`);
  assert.deepEqual(
    found,
    outages.map(({ from, to }: { from: string; to: string }) => [sinceMidnight(from), sinceMidnight(to)]),
  );
  assert.ok(found.length >= 2, 'before the application was there, and the single replica');
});

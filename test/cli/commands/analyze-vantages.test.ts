import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { assertConforms } from '../../support/schema.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const holdfast = join(import.meta.dirname, '../../../bin/holdfast.js');
const START = Date.parse('2026-11-20T10:00:00.000Z');
const header = '# holdfast downtime-log 1 target=http://app.example/ interval=1s timeout=10s slow=1s expect=200\n';

/** A letter a second: `u` good, `d` 503, `.` no sample. */
const logOf = (seconds: string) =>
  header +
  [...seconds]
    .flatMap((letter, index) => {
      const at = new Date(START + 1000 * index).toISOString();
      return letter === '.' ? [] : [`${at} ${letter === 'u' ? 200 : 503} 0.012\n`];
    })
    .join('');

/** Frankfurt sees two outages, dublin the first of them, oregon none, and nothing of the second. */
function threeLogs(t: TestContext): readonly string[] {
  const folder = temporaryFolder(t);
  const [frankfurt, dublin, oregon] = ['frankfurt.log', 'dublin.log.gz', 'oregon.log'].map((name) =>
    join(folder, name),
  );
  writeFileSync(frankfurt ?? '', logOf(`${'u'.repeat(20)}ddd${'u'.repeat(20)}dd${'u'.repeat(20)}`));
  writeFileSync(dublin ?? '', gzipSync(logOf(`${'u'.repeat(20)}dd${'u'.repeat(43)}`)));
  writeFileSync(oregon ?? '', logOf(`${'u'.repeat(40)}${'.'.repeat(8)}${'u'.repeat(17)}`));
  return [frankfurt, dublin, oregon] as string[];
}

function analyzed(words: readonly string[]) {
  const { status, stdout } = spawnSync(process.execPath, [holdfast, 'analyze', ...words], { encoding: 'utf8' });
  return { status, stdout };
}

test('logs of several probers are merged, and each outage says for whom it was one', (t) => {
  const { status, stdout } = analyzed([...threeLogs(t), '--json']);
  const analysis = JSON.parse(stdout);
  assertConforms('analyze', analysis);
  assert.equal(status, 1);
  assert.deepEqual(
    analysis.vantages.map(({ name, unknown }: { name: string; unknown: number }) => [name, unknown]),
    [
      ['frankfurt', 0],
      ['dublin', 0],
      ['oregon', 8],
    ],
  );
  assert.equal(analysis.log.unknown, 0, 'each gap is covered by another log');
  assert.deepEqual(
    analysis.outages.map(({ seconds, seenBy, notSeenBy, blind }: Record<string, unknown>) => [
      seconds,
      seenBy,
      notSeenBy,
      blind,
    ]),
    [
      [3, ['frankfurt', 'dublin'], ['oregon'], []],
      [2, ['frankfurt'], ['dublin'], ['oregon']],
    ],
  );
});

test('--rule says what counts as down; the text names the vantage points', (t) => {
  const logs = threeLogs(t);
  const most = analyzed([...logs, '--rule', 'most']);
  assert.match(most.stdout, /^3 vantage points, down for more than half of them counts/);
  assert.match(most.stdout, /1\.0–3\.0 s +all +5 {2}503\n {2}down for frankfurt, dublin\n {2}not for oregon\n/);
  assert.match(
    most.stdout,
    /\nEach by itself:\nfrankfurt \(.*frankfurt\.log\), 65 samples, 0 unknown\n {2}[\d.–]+ s of downtime\.\n/,
  );
  const all = analyzed([...logs, '--rule', 'all']);
  assert.deepEqual([all.status, /No outage\./.test(all.stdout)], [0, true]);
  assert.equal(analyzed([...logs, '--rule', 'some']).status, 2);
});

test('where down for all of them came in parts, the text says that it was a part', (t) => {
  const folder = temporaryFolder(t);
  const [first, second] = ['first.log', 'second.log'].map((name) => join(folder, name)) as [string, string];
  writeFileSync(first, logOf(`${'u'.repeat(20)}${'d'.repeat(15)}${'u'.repeat(20)}`));
  writeFileSync(second, logOf(`${'u'.repeat(20)}dddd${'u'.repeat(6)}${'d'.repeat(10)}${'u'.repeat(15)}`));
  const { stdout } = analyzed([first, second, '--rule', 'all']);
  assert.match(stdout, /14\.0–16\.0 s +a part +\d+ {2}503\n {2}down for all\n/);
});

test('a prober’s clock that was set is reported with its log, in words and as JSON', (t) => {
  const [one, two] = threeLogs(t) as [string, string];
  const at = (second: number) => new Date(START + 1000 * second).toISOString();
  const steps = [-60, 60, 0.5, -1].map((seconds) => `# clock-step ${seconds.toFixed(3)}\n`).join('');
  writeFileSync(one, `${logOf('u'.repeat(30))}${steps}${at(30)} 200 0.012\n`);
  const alone = analyzed([one]).stdout;
  assert.match(
    alone,
    /^The clock was set back by 60\.000 s after 2026-11-20 10:00:29\.000 UTC: until it is set ahead/m,
  );
  assert.match(
    alone,
    /^The clock was set ahead by 0\.500 s after 2026-11-20 10:00:29\.000 UTC: an outage then has the/m,
  );
  assert.match(alone, /^It was set 1 more time\.$/m);
  assert.match(
    analyzed([one, two]).stdout,
    /^frankfurt .*\n {2}.*downtime\.\n {2}The clock was set back by 60\.000 s after/m,
  );
  const analysis = JSON.parse(analyzed([one, two, '--json']).stdout);
  assertConforms('analyze', analysis);
  const [first, second] = analysis.vantages;
  assert.deepEqual(
    first.clockSteps.map(({ seconds }: { seconds: number }) => seconds),
    [-60, 60, 0.5, -1],
  );
  assert.equal(second.clockSteps, undefined);
});

test('the target of a curl loop, which its log does not name, is called so beside several others', (t) => {
  const [one, two] = threeLogs(t) as [string, string, string];
  const loop = join(temporaryFolder(t), 'loop.log');
  writeFileSync(one, logOf('uuddu').replace('app.example', 'other.example'));
  writeFileSync(loop, logOf('uuddu').slice(header.length));
  const { stdout } = analyzed([one, two, loop]);
  assert.match(stdout, /^ {2}the curl loop's target$/m);
  assert.match(stdout, /^the curl loop's target:\n {2}[\d.–]+ s of downtime\.$/m);
});

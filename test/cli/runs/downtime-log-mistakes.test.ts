import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { downtimeLogMistakes } from '../../../src/cli/runs/downtime-log-mistakes.ts';
import { nodeFiles } from '../../../src/host/files.ts';
import { assertMistakes, holdfast } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('a log, a link to one and standard input can be followed; a pipe, a folder and a missing file cannot', async (t) => {
  const folder = temporaryFolder(t);
  const mistakesOf = async (name: string) => (await downtimeLogMistakes(nodeFiles(), name)).join();
  writeFileSync(join(folder, 'log'), '');
  symlinkSync('log', join(folder, 'current'));
  symlinkSync('none', join(folder, 'astray'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  for (const name of ['log', 'current']) assert.equal(await mistakesOf(join(folder, name)), '');
  assert.equal(await mistakesOf('-'), '');
  assert.match(
    await mistakesOf(join(folder, 'pipe')),
    /pipe is not a regular file: .* or - for a log on standard input\.$/,
  );
  assert.match(await mistakesOf(join(folder, 'astray')), /astray is not a regular file/);
  assert.match(await mistakesOf(folder), /is a folder/);
  assert.match(await mistakesOf(join(folder, 'none')), /none does not exist/);
});

test('a log whose last line is # end is refused, because its monitor has ended', async (t) => {
  const log = join(temporaryFolder(t), 'log');
  const header = '# holdfast downtime-log 1 target=http://a/ interval=1s timeout=1s slow=1s expect=200\n';
  const sample = '2026-11-20T10:00:00.203Z 200 0.012\n';
  const end = '# end at=2026-11-20T10:00:01.000Z\n';
  for (const [text, isRefused] of [
    [header + sample.repeat(100) + end, true],
    [end.replace('\n', '\r\n'), true],
    [header + sample + end + header, false],
    [header + sample + end + sample.slice(0, 12), false],
  ] as const) {
    writeFileSync(log, text);
    const mistakes = (await downtimeLogMistakes(nodeFiles(), log)).join();
    if (isRefused)
      assert.match(mistakes, /log is finished \(its last line is # end\): name the log of a running monitor/);
    else assert.equal(mistakes, '');
  }
});

test('--repeat is refused with a log on standard input, which can be read only once', (t) => {
  const folder = temporaryFolder(t);
  const once = /--repeat needs the name of a file in --downtime-log, because standard input ends with the first run/;
  const { stderr } = holdfast(folder, ['validate', '--repeat', '1', '--downtime-log', '-', '--yes']);
  assert.doesNotMatch(stderr, once);
  const ran = holdfast(folder, ['validate', '--repeat', '2', '--downtime-log', '-', '--yes', '--allow-terminate']);
  assertMistakes(ran, once, /kubeconfig/);
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { lineWriter } from '../../../src/cli/terminal/line-writer.ts';
import { holdfast } from '../../support/command-line.ts';
import { quietHost } from '../../support/quiet-host.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function writerIn(environment: Readonly<Record<string, string>>) {
  const texts: string[] = [];
  const talk = { write: (text: string) => void texts.push(text), isTTY: false, columns: 80, rows: 24 };
  const clock = { wallAt: () => Date.parse('2026-11-20T10:00:00Z') };
  const host = { ...quietHost(), talk, clock } as unknown as Parameters<typeof lineWriter>[0]['host'];
  return { screen: lineWriter({ host, environment, flags: { quiet: false } }), said: () => texts.join('') };
}

test('in GitHub Actions each part of a run is a group, and none is left open', () => {
  const { screen, said } = writerIn({ GITHUB_ACTIONS: 'true' });
  screen.section('Phase 1');
  screen.line('one');
  screen.section('Phase 3');
  screen.line('two');
  screen.end();
  assert.equal(said(), '::group::Phase 1\none\n::endgroup::\n::group::Phase 3\ntwo\n::endgroup::\n');
});

test('in GitLab each part of a run is a section with its times', () => {
  const { screen, said } = writerIn({ GITLAB_CI: 'true' });
  screen.section('Phase 1');
  screen.end();
  const clear = `${String.fromCharCode(0x1b)}[0K`;
  const at = Date.parse('2026-11-20T10:00:00Z') / 1000;
  assert.equal(
    said(),
    `${clear}section_start:${at}:holdfast_1[collapsed=true]\r${clear}Phase 1\n${clear}section_end:${at}:holdfast_1\r${clear}\n`,
  );
});

test('elsewhere there is nothing but the lines', () => {
  const { screen, said } = writerIn({});
  screen.section('Phase 1');
  screen.line('one');
  screen.end();
  assert.equal(said(), 'one\n');
});

test('a run with 10,000 lines of progress stays under a megabyte in CI, and says where the rest is', () => {
  const { screen, said } = writerIn({ GITHUB_ACTIONS: 'true' });
  screen.section('Phase 4');
  for (let line = 0; line < 10_000; line++) screen.line(`${line} ${'x'.repeat(200)}`);
  screen.end();
  assert.ok(Buffer.byteLength(said()) < 1_000_000, String(said().length));
  assert.match(said(), /\nThis log has grown to 512 KiB: .*journal.*\n::endgroup::\n$/);
});

test('in GitHub Actions the report is the summary of the step, and what fails is an annotation', (t) => {
  const folder = temporaryFolder(t);
  const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(folder, 'summary.md') };
  const defect = ['--scenario', 'scale-down', '--defect', 'abrupt-termination'];
  const { status, stderr } = holdfast(folder, ['rehearse', ...defect, '--out', 'run'], env);
  assert.equal(status, 1, stderr);
  assert.match(stderr, /^::group::Phase 1: pre-check$/m);
  assert.equal(stderr.match(/^::group::/gm)?.length, stderr.match(/^::endgroup::$/gm)?.length);
  // The outcome is outside the groups, so that it is seen.
  assert.match(stderr, /^::endgroup::\nfail Scale down, /m);
  assert.match(stderr, /^::error title=Scale down%3A no downtime::observed%?: /m);
  assert.doesNotMatch(stderr, new RegExp(String.fromCharCode(0x1b)));
  assert.equal(
    readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8').trim(),
    readFileSync(join(folder, 'run/report.md'), 'utf8').trim(),
  );
});

test('FORCE_COLOR colours without a terminal; NO_COLOR and --no-color win', (t) => {
  const folder = temporaryFolder(t);
  const coloured = new RegExp(`${String.fromCharCode(0x1b)}\\[\\d+m`);
  const explain = (env: Readonly<Record<string, string>>, ...words: readonly string[]) =>
    holdfast(folder, [...words, 'explain', 'load'], env).stdout;
  assert.match(explain({ FORCE_COLOR: '1' }), coloured);
  for (const plain of [
    explain({}),
    explain({ FORCE_COLOR: '0' }),
    explain({ FORCE_COLOR: '1', NO_COLOR: '1' }),
    explain({ FORCE_COLOR: '1' }, '--no-color'),
  ])
    assert.doesNotMatch(plain, coloured);
});

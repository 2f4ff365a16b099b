import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { commandRun } from '../../src/kubelet/command-run.ts';
import { onMachine } from '../support/on-machine.ts';

const sh = (script: string) => commandRun({ command: ['/bin/sh', '-c', script] });

test('a command whose end is known says how long it works and how it ends', () => {
  for (const [command, seconds, exitCode] of [
    [['true'], 0, 0],
    [['/bin/false'], 0, 1],
    [['sleep', '1m', '1.5'], 61.5, 0],
    [['sleep', 'infinity'], Number.POSITIVE_INFINITY, 0],
    [['nginx', '-v'], 0, 0],
    [['bash', '-ec', 'false; sleep 3'], 0, 1],
  ] as const)
    assert.deepEqual(commandRun({ command }), { seconds, exitCode }, command.join(' '));
  assert.deepEqual(commandRun({ command: ['sleep'], args: ['3'] }), { seconds: 3, exitCode: 0 });
  assert.deepEqual(sh('sleep 2 && echo "done; really"\nexit 3'), { seconds: 2, exitCode: 3 });
  assert.deepEqual(sh('exec sleep 4; sleep 5'), { seconds: 4, exitCode: 0 });
});

test('of a program that is not known nothing is said, nor of a script that needs more of a shell', () => {
  for (const command of [['php', 'artisan', 'migrate'], ['sleep'], ['sleep', 'soon'], ['sh', 'run.sh'], ['']])
    assert.equal(commandRun({ command }), undefined, command.join(' '));
  for (const script of [
    './migrate',
    'sleep 1; ./migrate',
    'echo $X',
    'sleep 1 &',
    'a | b',
    'if true; then exit 1; fi',
    'echo `x`',
    '# no',
  ])
    assert.equal(sh(script), undefined, script);
  assert.equal(commandRun({ args: ['true'] }), undefined, 'the image has a command of its own');
});

test('a script ends with the exit code that a real shell ends with', () => {
  const commands = fc.constantFrom(
    'true',
    'false',
    ':',
    'echo x',
    'echo \'a; b\' "c && d"',
    'exit 3',
    'exit',
    'sleep 0',
    'set -e',
  );
  const separators = fc.constantFrom('; ', '\n', ' && ', ' || ', '&&\n', ';\n\n');
  const script = fc
    .array(fc.tuple(commands, separators), { minLength: 1, maxLength: 6 })
    .map((parts) => `${parts.map(([command, separator]) => command + separator).join('')}true`)
    // A failure on the left of `&&` does not end a strict shell; that is not read here.
    .filter((text) => !(text.includes('set -e') && text.includes('&&')));
  fc.assert(
    fc.property(script, (text) => {
      assert.equal(sh(text)?.exitCode, spawnSync('/bin/sh', ['-c', text]).status, text);
    }),
    { numRuns: 150 },
  );
});

test('a container ends as its command says, whatever restarts it', async () => {
  const container = (script: string) => [{ name: 'work', image: 'shop/artisan', command: ['sh', '-c', script] }];
  const images = ['shop/artisan'];
  await onMachine(
    { containers: container('sleep 3; exit 4'), restartPolicy: 'Never' },
    async (it) => {
      await it.until(async () => (await it.pod())?.status?.phase === 'Running');
      const seconds = await it.until(async () => (await it.pod())?.status?.phase === 'Failed');
      assert.ok(seconds > 1.9 && seconds < 3.2, `${seconds} s`);
      assert.equal((await it.pod())?.status?.containerStatuses?.[0]?.state?.terminated?.exitCode, 4);
    },
    images,
  );
  const waiting = async (it: Parameters<Parameters<typeof onMachine>[1]>[0]) =>
    (await it.pod())?.status?.containerStatuses?.[0]?.state?.waiting?.reason;
  await onMachine(
    { containers: container('exit 1') },
    (it) => it.until(async () => (await waiting(it)) === 'CrashLoopBackOff').then(),
    images,
  );
});

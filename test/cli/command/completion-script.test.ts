import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { allCommands } from '../../../src/cli/all-commands.ts';
import { globalOptions } from '../../../src/cli/command/global-options.ts';
import { manPages } from '../../../src/cli/command/man-page.ts';
import { holdfast } from '../../support/command-line.ts';
import { needs } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('bash completes commands, options, and the names of scenarios and defects', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'c'), holdfast(folder, ['completion', 'bash']).stdout);
  const offered = (...words: readonly string[]): readonly string[] => {
    const line = ['holdfast', ...words].map((word) => `'${word}'`).join(' ');
    const script = `source c; COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _holdfast; echo "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8' });
    assert.equal(stderr, '');
    return stdout.trim().split(' ');
  };
  assert.deepEqual(offered('rol'), ['rollback']);
  assert.deepEqual(offered('deploy', '--health-at'), ['--health-attempts']);
  assert.deepEqual(offered('rehearse', '--scenario', 'node'), ['node-drain']);
  assert.deepEqual(offered('--quiet', 'rehearse', '--defect', 'slow'), ['slow-boot']);
  assert.deepEqual(offered('explain', 'criterion-3'), ['criterion-3']);
  assert.deepEqual(offered('analyze', '--h'), ['--help']);
  // Nothing is offered where the shell then offers files.
  assert.deepEqual([offered('analyze', '--from', 's'), offered('analyze', '')], [[''], ['']]);
  for (const command of ['validate', 'plan'])
    assert.deepEqual(offered(command, '--from', 'scale-'), ['scale-up', 'scale-down'], command);
  for (const { name } of allCommands) assert.ok(offered(name).includes(name), name);
});

for (const shell of ['zsh', 'fish'] as const)
  test(`${shell} reads the script without a complaint, and offers every command`, (t) => {
    if (!needs(t, shell)) return;
    const folder = temporaryFolder(t);
    writeFileSync(join(folder, 'c'), holdfast(folder, ['completion', shell]).stdout);
    const list = {
      zsh: [
        '-f',
        '-c',
        'autoload -U compinit && compinit -u -d ./dump && source ./c && print -l $functions[_holdfast]',
      ],
      fish: ['--no-config', '-c', 'source ./c; complete -C "holdfast "'],
    }[shell];
    const { stdout, stderr, status } = spawnSync(shell, list, {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH ?? '', HOME: folder },
    });
    assert.equal(stderr, '');
    assert.equal(status, 0);
    for (const { name } of allCommands) assert.match(stdout, new RegExp(`\\b${name}\\b`));
  });

test('there is a manual page for the program and for each command, which man formats without a warning', (t) => {
  const pages = manPages(allCommands, globalOptions, {
    version: '1.2.3',
    date: '2026-11-20',
    description: 'Keeps a site up.',
  });
  for (const text of pages.values()) assert.match(text, /^\.TH \S+ 1 "2026-11-20" "holdfast 1\.2\.3"/);
  assert.deepEqual([...pages.keys()], ['holdfast.1', ...allCommands.map(({ name }) => `holdfast-${name}.1`)]);
  if (!needs(t, 'mandoc')) return;
  const folder = temporaryFolder(t);
  for (const [name, text] of pages) writeFileSync(join(folder, name), text);
  const linted = spawnSync('mandoc', ['-T', 'lint', '-W', 'warning', ...pages.keys()], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.equal(linted.stdout.replaceAll(/^.*missing date.*\n/gm, ''), '');
  const shown = spawnSync('mandoc', ['-T', 'ascii', 'holdfast-deploy.1'], { cwd: folder, encoding: 'utf8' }).stdout;
  assert.match(shown.replaceAll(new RegExp(`.${String.fromCharCode(8)}`, 'g'), ''), /--health-url <url>/);
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { defects } from '../../../src/rehearsal/defects.ts';
import { allScenarios } from '../../../src/validation/scenarios/index.ts';
import { inShell } from '../../support/cluster-commands.ts';

test('text for people is at most 80 columns wide; a command to copy is not wrapped', (t) =>
  inShell(t, async (shell) => {
    await shell.holdfast('validate', '--scenario', 'single-replica', '--yes', '--out', join(shell.folder, 'run'));
    const topics = [...allScenarios.map(({ name }) => name), ...Object.keys(defects), '1', '2', '3', '4', '5', '6'];
    const plan = await shell.holdfast('plan');
    const printed = [plan, await shell.holdfast('audit'), await shell.holdfast('precheck')];
    for (const topic of topics) printed.push(await shell.holdfast('explain', topic));
    printed.push(await shell.holdfast('explain'));
    const lines = printed.flatMap(({ stdout }) => stdout.split('\n'));
    const wide = lines.filter((line) => line.length > 80 && !line.startsWith('    undo by hand: '));
    assert.deepEqual(wide, []);
    assert.ok(plan.stdout.split('\n').some((line) => /^ {4}undo by hand: kubectl .{60}/.test(line)));
  }));

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { finishReports } from '../../../src/cli/commands/report.ts';
import { readEndedRun } from '../../../src/cli/runs/read-ended-run.ts';
import { repeatRuns } from '../../../src/cli/runs/repeat-runs.ts';
import { OperationError } from '../../../src/host/errors.ts';
import type { Files } from '../../../src/host/host.ts';
import { singleReplica } from '../../../src/validation/scenarios/single-replica.ts';
import { quietHost } from '../../support/quiet-host.ts';
import { rehearse } from '../../support/rehearse.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const full = new OperationError({
  tried: 'Writing',
  on: 'report.md',
  reason: 'no space left on the device (ENOSPC)',
});

/** A terminal whose words are kept. */
function talking(files: Partial<Files>) {
  const said: string[] = [];
  const host = quietHost();
  const write = (text: string) => void said.push(text);
  return {
    said,
    host: { ...nobody, ...host, files: { ...host.files, ...files }, talk: { ...host.talk, write } },
  };
}
const nobody = {} as Parameters<typeof finishReports>[0]['host'];
const flags = { json: false, quiet: true, verbose: false, color: false };

test('a pass whose reports cannot be written prints its verdict and the reason, and is not exit 0; exit 5 stays exit 5', async (t) => {
  const { facts, result, folder } = await rehearse(t, { scenarios: [singleReplica] });
  assert.equal(await finishReports({ host: talking({}).host, flags }, folder, { facts, result }), 0);
  const { host, said } = talking({ replace: () => Promise.reject(full) });
  assert.equal(await finishReports({ host, flags }, folder, { facts, result }), 4);
  assert.match(said.join(''), /holdfast: Writing report\.md: no space left on the device .*holdfast report \S/);
  const failed = { action: 'scale', target: 'Deployment a', state: 'failed', because: '' } as const;
  const left = { ...result, undo: [failed] };
  assert.equal(await finishReports({ host, flags }, folder, { facts, result: left }), 5);
});

test('reports of one run of --repeat that cannot be written hide neither exit 5 nor the figures of all runs', async (t) => {
  const { facts, result, folder } = await rehearse(t, { scenarios: [singleReplica] });
  const repeated = (undo: typeof result.undo) => {
    const { host, said } = talking({ replace: () => Promise.reject(full) });
    const shown: string[] = [];
    const out = { ...host.out, write: (text: string) => void shown.push(text) };
    const context = { host: { ...host, out }, environment: {}, version: '0.0.0', flags };
    const ended = repeatRuns(context, 2, folder, async () => ({ facts, result: { ...result, undo } }));
    return ended.then((exitCode) => ({ exitCode, said: said.join(''), shown: shown.join('') }));
  };
  const passed = await repeated(result.undo);
  assert.equal(passed.exitCode, 4);
  assert.match(passed.said, /no space left on the device .*holdfast report \S+\/1\n[\s\S]*holdfast report \S+\/2\n/);
  assert.match(passed.shown, /\n2 runs\n/);
  const left = await repeated([{ action: 'scale', target: 'Deployment a', state: 'failed', because: '' }]);
  assert.equal(left.exitCode, 5);
  assert.match(left.shown, /\n1 run\n/);
});

test('a run whose journal could not be closed is judged by what was written; without a journal there is no run', async (t) => {
  const { facts, folder } = await rehearse(t, { scenarios: [singleReplica] });
  const { host, said } = talking({});
  const run = await readEndedRun(host, folder, Promise.reject(full));
  assert.equal(run.facts.length, facts.length);
  assert.match(said.join(''), /no space left/);
  const empty = join(temporaryFolder(t), 'nothing');
  await assert.rejects(readEndedRun(host, empty, Promise.reject(full)), full);
  await assert.rejects(readEndedRun(host, folder, Promise.reject(new TypeError('a defect'))), TypeError);
});

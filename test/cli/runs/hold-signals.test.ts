import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { holdSignals } from '../../../src/cli/runs/hold-signals.ts';
import { repeatRuns } from '../../../src/cli/runs/repeat-runs.ts';
import type { Host, Signal } from '../../../src/host/host.ts';
import { singleReplica } from '../../../src/validation/scenarios/single-replica.ts';
import { quietHost } from '../../support/quiet-host.ts';
import { rehearse } from '../../support/rehearse.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const names: readonly Signal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** A host that knows whether a signal would have found a listener. */
function listenedTo() {
  let listeners: readonly ((name: Signal) => void)[] = [];
  const onSignal: Host['onSignal'] = (_, listener) => {
    listeners = [...listeners, listener];
    return () => {
      listeners = listeners.filter((other) => other !== listener);
    };
  };
  const isHeard = (name: Signal): boolean => {
    for (const listener of listeners) listener(name);
    return listeners.length > 0;
  };
  return { host: { ...quietHost(), onSignal } as unknown as Host, isHeard };
}

test('a signal goes to the run while it listens, and is held after that until the reports are written', async () => {
  const { host, isHeard } = listenedTo();
  const received: Signal[] = [];
  await holdSignals(host, async ({ host: given, held }) => {
    assert.equal(isHeard('SIGINT'), false, 'nothing is held before the run listens: nothing has begun');
    const stop = given.onSignal(names, (name) => received.push(name));
    isHeard('SIGHUP');
    assert.deepEqual([received, held()], [['SIGHUP'], undefined]);
    stop();
    assert.ok(isHeard('SIGTERM') && isHeard('SIGINT'));
    assert.deepEqual([received, held()], [['SIGHUP'], 'SIGTERM']);
  });
  assert.equal(isHeard('SIGINT'), false);
  const broken = holdSignals(host, async ({ host: given }) => {
    given.onSignal(names, () => {})();
    throw new Error('broken');
  });
  await assert.rejects(broken, /broken/);
  assert.equal(isHeard('SIGINT'), false, 'nothing is held for ever');
});

test('a signal during the reports of one of several runs prevents the next run; during the last reports it has no effect', async (t) => {
  const { facts, result, folder } = await rehearse(t, { scenarios: [singleReplica] });
  for (const [hits, exitCode, runs] of [
    [1, 130, 1],
    [3, 0, 3],
  ] as const) {
    const { host, isHeard } = listenedTo();
    let made = 0;
    const replace: Host['files']['replace'] = async () => {
      if (made === hits) assert.ok(isHeard('SIGINT'));
    };
    const flags = { json: true, quiet: true, verbose: false, color: false };
    const context = { host: { ...host, files: { ...host.files, replace } }, environment: {}, version: '0.0.0', flags };
    const ended = await repeatRuns(context, 3, folder, async (_, { onSignal }) => {
      made += 1;
      onSignal(names, () => {})();
      return { facts, result };
    });
    assert.deepEqual([ended, made], [exitCode, runs]);
  }
});

test('a run that has ended prints its result and writes its reports despite a signal', (t) => {
  const folder = join(temporaryFolder(t), 'run');
  const source = `${import.meta.dirname}/../../../src`;
  const script = `
    import { createProgram } from '${source}/cli/arguments.ts';
    import { nodeHost } from '${source}/host/node.ts';
    const host = nodeHost();
    const replace = async (...given) => {
      for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.kill(process.pid, name);
      await new Promise((resolve) => setTimeout(resolve, 20));
      return host.files.replace(...given);
    };
    const program = createProgram({ host: { ...host, files: { ...host.files, replace } }, environment: {}, version: '0.0.0' });
    process.exitCode = await program.run(['rehearse', '--scenario', 'single-replica', '--out', '${folder}', '--json', '--quiet']);`;
  const { status, signal, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  assert.deepEqual([status, signal], [0, null]);
  assert.equal(JSON.parse(stdout).verdict, 'pass');
  for (const name of ['report.json', 'report.md', 'report.html', 'junit.xml'])
    assert.ok(readdirSync(folder).includes(name), name);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startControllers } from '../attached/controllers.ts';
import { addNode, keepReady } from '../attached/kubelets.ts';
import { needsKit, programPath } from '../attached/programs.ts';
import { servedAlone } from '../attached/served.ts';
import { recorded } from './fixture.ts';
import { session } from './session.ts';
import { unlike } from './unlike.ts';

test('kubectl says in a session what it says on a real API server', async (t) => {
  if (!needsKit(t, 'kubectl', 'kube-controller-manager', 'kube-scheduler')) return;
  const served = await servedAlone(t);
  startControllers(t, served);
  const nodes = ['node-a', 'node-b'];
  for (const name of nodes) await addNode(served.cluster, name);
  const beating = keepReady(served.cluster, nodes, served.signal);
  t.after(() => beating);
  const ours = await session(programPath('kubectl'), served.kubeconfig, served.folder);
  const real = recorded();
  assert.deepEqual(
    ours.map(({ command }) => command),
    real.map(({ command }) => command),
  );
  const different = ours.filter((one, at) => {
    const { code, lines } = real[at] ?? one;
    return code !== one.code || lines.join('\n') !== one.lines.join('\n');
  });
  t.diagnostic(`${ours.length - different.length} of ${ours.length} commands said the same`);
  for (const { command, code, lines } of different) {
    if (command in unlike) continue;
    const at = real.find((one) => one.command === command);
    assert.deepEqual({ code, lines }, { code: at?.code, lines: at?.lines }, command);
  }
  assert.deepEqual(
    Object.keys(unlike).filter((command) => different.every((one) => one.command !== command)),
    [],
    'said alike again: take them off the list',
  );
});

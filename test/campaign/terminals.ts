// `validate` on a real terminal, in real time, against `rehearse --listen`: the window is made narrower and wider while
// it runs, with and without colours, on a screen that is in use and on an empty one. Some six minutes. Debian's tmux,
// and network namespaces.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { served } from '../support/listening.ts';
import { needs } from '../support/needs.ts';
import { type Tmux, tmux } from '../support/tmux.ts';

const program = join(import.meta.dirname, '../../bin/holdfast.js');
const widths = [120, 40, 80, 60, 40, 100, 40] as const;
const region = /^(waits|probes|downtime so far|still to undo|Phase \d)\b/m;
const mostSeconds = 600;

/** Changes the width every two seconds, until the command has ended. */
async function resized(terminals: readonly Tmux[]): Promise<void> {
  for (let second = 0; second < mostSeconds; second += 2) {
    if (terminals.every((one) => /EXIT \d/.test(one.screen()))) return;
    for (const one of terminals) one.resize(widths[(second / 2) % widths.length] ?? 80);
    await pause(2000);
  }
  throw new Error(`it has not ended in ${mostSeconds} s`);
}

test('validate on a terminal that is resized all the time leaves nothing of its live region', async (t) => {
  if (!needs(t, 'tmux')) return;
  for (const [before, env] of [
    ['seq 60', {}],
    ['true', { NO_COLOR: '1' }],
  ] as const) {
    const it = await served(t, '--manifests', 'hardened');
    if (it.enter === undefined) return t.skip('network namespaces cannot be made here');
    const { kubeconfig } = it.settings;
    const words = ['validate', '--kubeconfig', kubeconfig, '--yes', '--scenario', 'single-replica', '--out', 'run'];
    const command = [...it.enter, process.execPath, program, ...words].join(' ');
    const terminal = tmux(t, 120, `sh -c '${before}; cd ${it.folder} && exec ${command}'`, {
      ...it.settings.environment,
      HOME: it.folder,
      ...env,
    });
    await resized([terminal]);
    const whole = terminal.whole();
    assert.match(whole, /^[✓✗?] \d\d:\d\d:\d\d Single replica: /m);
    assert.doesNotMatch(whole, region, whole);
  }
});

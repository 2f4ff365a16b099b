import assert from 'node:assert/strict';
import { test } from 'node:test';
import { delays } from '../../src/time/delays.ts';
import { withNodeReady } from '../../src/time/node-ready.ts';

test('a node takes exactly as long as the settings say, and as the delays say without them', () => {
  assert.equal(withNodeReady(delays, undefined), delays);
  const changed = withNodeReady(delays, 16);
  const parts = [changed.instanceLaunch, changed.instanceBoot, changed.kubeletBoot, changed.nodeReady];
  const sum = (bound: 0 | 1) => parts.reduce((all, { seconds }) => all + seconds[bound], 0);
  assert.ok(Math.abs(sum(0) - 16) < 1e-9 && Math.abs(sum(1) - 16) < 1e-9);
  assert.equal(changed.imagePull, delays.imagePull);
});

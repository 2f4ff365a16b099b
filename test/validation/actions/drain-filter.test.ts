import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseForDrain } from '../../../src/validation/actions/drain-filter.ts';
import { podOn } from '../../support/objects.ts';

const names = (pods: Parameters<typeof chooseForDrain>[0]) => chooseForDrain(pods).evict.map(({ name }) => name);

test('pods with a controller are evicted', () => {
  assert.deepEqual(names([podOn('a'), podOn('a', { name: 'job', owner: 'Job' })]), ['nginx-test-a', 'job']);
});

test('pods of a DaemonSet stay, unless they are finished', () => {
  assert.deepEqual(names([podOn('a', { owner: 'DaemonSet' })]), []);
  assert.deepEqual(names([podOn('a', { owner: 'DaemonSet', status: { phase: 'Failed' } })]), ['nginx-test-a']);
});

test('mirror pods stay', () => {
  assert.deepEqual(names([podOn('a', { metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' } } })]), []);
});

test('one pod without a controller forbids the whole drain, unless it is finished', () => {
  const lone = podOn('a', { name: 'lone', owner: null });
  assert.match(chooseForDrain([podOn('a'), lone]).fatal.join(), /default\/lone has no controller/);
  assert.deepEqual(chooseForDrain([podOn('a', { owner: null, status: { phase: 'Succeeded' } })]).fatal, []);
});

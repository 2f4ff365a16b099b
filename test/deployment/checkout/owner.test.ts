import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isProvablyDead, type Owner } from '../../../src/deployment/checkout/owner.ts';
import type { Files } from '../../../src/host/host.ts';

const owner: Owner = {
  token: '7-100-x',
  pid: 7,
  startTicks: '100',
  bootId: 'this boot',
  hostName: 'here',
  firstProcess: '3',
  userId: 0,
  acquiredAt: 'T',
};
const self: Owner = { ...owner, token: '9-200-x', pid: 9, startTicks: '200' };

/** What Linux says of process 7. */
const process7 = (stat: string | undefined) =>
  ({ read: async (path: string) => (path === '/proc/7/stat' ? stat : undefined) }) as unknown as Files;
const stat = (state: string, startTicks: string) => `7 (no de) x) ${state} ${'0 '.repeat(18)}${startTicks} 0`;
const runs = process7(stat('S', '100'));
const gone = process7(undefined);
const isDead = (files: Files, other: Partial<Owner> = {}) => isProvablyDead(files, { ...owner, ...other }, self);

test('an owner that runs is alive', async () => {
  assert.equal(await isDead(runs), false);
});

test('an owner whose process has ended, or is a zombie, is dead', async () => {
  assert.equal(await isDead(gone), true);
  assert.equal(await isDead(process7(stat('Z', '100'))), true);
});

test('an owner is dead whose process id now belongs to a process with another start', async () => {
  assert.equal(await isDead(process7(stat('S', '101'))), true);
});

test('an owner of an earlier boot is dead, whatever runs now', async () => {
  assert.equal(await isDead(runs, { bootId: 'an earlier boot' }), true);
});

test('an owner on another machine is never known to be dead, nor one in another container', async () => {
  assert.equal(await isDead(gone, { hostName: 'elsewhere' }), false);
  assert.equal(await isDead(gone, { hostName: 'elsewhere', bootId: 'another boot' }), false);
  assert.equal(await isDead(gone, { firstProcess: '4' }), false);
});

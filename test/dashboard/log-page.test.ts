import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logPage } from '../../src/dashboard/log-page.ts';
import type { Clock } from '../../src/host/host.ts';
import { styleHash } from '../../src/report/html/style.ts';

test('a log that takes long to read is not read for each browser, and one that could not be is read again', async () => {
  let [now, reads] = [0, 0];
  const clock = { wallAt: () => 1000 * now, monotonicSeconds: () => now } as Clock;
  let isBroken = true;
  const read = async () => {
    reads += 1;
    now += 2;
    if (isBroken) throw new Error('no log');
    return [];
  };
  const page = logPage({ clock }, { path: 'log', read });
  await assert.rejects(page(), /no log/);
  isBroken = false;
  const { body, headers } = await page();
  assert.match(String(body), /<meta http-equiv="refresh" content="5"\/>/);
  assert.ok(headers?.['content-security-policy']?.includes(styleHash));
  await Promise.all([page(), page()]);
  assert.equal(reads, 2);
  now += 41;
  await Promise.all([page(), page()]);
  assert.equal(reads, 3);
});

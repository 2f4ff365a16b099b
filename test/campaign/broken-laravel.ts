import { test } from 'node:test';
import { breakAndRepair } from '../deployment/support/break-and-repair.ts';
import { buildLaravel, needsLaravel } from '../deployment/support/laravel.ts';

test('20 broken commits of 20 are found and rolled back with a reset by FastCGI', async (t) => {
  if (needsLaravel(t)) await breakAndRepair(await buildLaravel(t), 20);
});

test('20 broken commits of 20 are found and rolled back where php-fpm cannot be made to forget code', async (t) => {
  if (!needsLaravel(t)) return;
  const sites = await Promise.all(Array.from({ length: 5 }, () => buildLaravel(t, { deaf: true })));
  await Promise.all(sites.map((site) => breakAndRepair(site, 4)));
});

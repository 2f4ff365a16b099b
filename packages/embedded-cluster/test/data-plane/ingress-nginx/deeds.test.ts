import { test } from 'node:test';
import { deeds, played } from './deeds.ts';

for (const deed of deeds)
  test(`as recorded of the real ingress-nginx: ${deed.name}`, async () => {
    for (const seed of [1, 2, 3]) deed.agrees(await played(deed, seed));
  });

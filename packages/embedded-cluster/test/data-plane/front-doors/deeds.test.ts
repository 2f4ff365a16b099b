import { test } from 'node:test';
import { doorDeeds, doorPlayed } from './deeds.ts';

for (const deed of doorDeeds)
  test(`as measured of ${deed.door}: ${deed.name}`, async () => {
    deed.agrees(await doorPlayed(deed, 1));
  });

import { test } from 'node:test';
import { needsAnsible, playAll } from '../packaging/support/ansible-plays.ts';

test('ansible-playbook over five servers: check mode, serial, a failure that stops the rest, a second run that changes nothing', async (t) => {
  if (needsAnsible(t)) await playAll(t, 5);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clocks } from '../../../src/validation/checks/clocks.ts';
import { apiSite } from '../../support/api-site.ts';
import { findingOf, fine, wrong } from '../../support/checked.ts';

test('the clocks must agree within a second', () =>
  apiSite(async (at) => {
    await fine(clocks, at, /± 0\.5 s/);
    const date = (seconds: number) => new Date(at.it.clock.wallAt() + seconds * 1000).toUTCString();
    at.it.fault = () => ({ kind: 'answer', status: 200, headers: { date: date(5) } });
    await wrong(clocks, at, /clock/, /5\.\d s behind \(± 0\.5 s\)/);
    at.it.fault = () => ({ kind: 'answer', status: 200, headers: { date: date(-5) } });
    assert.match((await findingOf(clocks, at)).advice, /this machine is ahead/);
  }));

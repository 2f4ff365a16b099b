import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readinessOf } from '../../src/kubelet/readiness.ts';
import { container } from '../support/container.ts';

test('a container becomes ready with the first probe that succeeds, or with as many as successThreshold asks', () => {
  const late = container({ listensAt: 4200 });
  assert.deepEqual(readinessOf(late, { periodSeconds: 1 }, 4499), { ready: false, since: 0, changesAt: 4500 });
  assert.deepEqual(readinessOf(late, { periodSeconds: 1 }, 4500), { ready: true, since: 4500 });
  assert.equal(readinessOf(late, { periodSeconds: 1, successThreshold: 3 }, 6499).ready, false);
  assert.equal(readinessOf(late, { periodSeconds: 10 }, 11_499).changesAt, 11_500);
  assert.equal(readinessOf(container(), { periodSeconds: 10, initialDelaySeconds: 20 }, 20_999).changesAt, 21_000);
});

test('a closed socket makes a container unready after failureThreshold probes, an exit at once', () => {
  const closed = container({ closesAt: 10_000, exitsAt: 60_000 });
  assert.equal(readinessOf(closed, { periodSeconds: 1 }, 12_000).ready, true);
  assert.equal(readinessOf(closed, { periodSeconds: 1 }, 12_500).ready, false);
  assert.equal(
    readinessOf(container({ closesAt: 10_000, exitsAt: 10_100 }), { periodSeconds: 10 }, 10_100).ready,
    false,
  );
  assert.equal(readinessOf(container({ exitsAt: 10_100 }), undefined, 10_099).ready, true);
});

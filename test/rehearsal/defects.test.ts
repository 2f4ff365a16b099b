import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { UsageError } from '../../src/host/errors.ts';
import { defects, defectsOf } from '../../src/rehearsal/defects.ts';

/** In the order of `docs/contract.md`, "Defects of the embedded cluster". */
const names = [
  'single-ingress-replica',
  'replicas-on-one-node',
  'no-disruption-budget',
  'no-readiness-probe',
  'abrupt-termination',
  'budget-ignored',
  'mass-eviction',
  'surprise-expiry',
  'eager-consolidation',
  'pool-restarts-nodes',
  'wrong-architecture',
  'ingress-official-manifest',
  'ingress-cluster-ip',
  'load-balancer-pending',
  'dns-automation-down',
  'autoscaler-down',
  'node-pool-not-ready',
  'server-errors-under-load',
  'pods-crash-under-load',
  'long-dns-ttl',
  'slow-boot',
  'prober-stalls',
  'api-lost-during-undo',
];

test('the defects are exactly those of docs/contract.md', () => {
  assert.deepEqual(Object.keys(defects), names);
});

test('a defect of the wire is none of the cluster, and changes what is between both', () => {
  assert.deepEqual(defectsOf(['slow-boot', 'prober-stalls', 'api-lost-during-undo']), {
    ofCluster: ['slow-boot'],
    wire: { stallSeconds: 15, stallPeriodSeconds: 90, apiLostAfterSeconds: 30 },
  });
});

test('an unknown defect is a usage error that lists the defects', () => {
  assert.throws(
    () => defectsOf(['slow-boot', 'slow-bot']),
    (error) => {
      assert.ok(error instanceof UsageError);
      assert.equal(error.mistakes.length, 1);
      assert.match(error.mistakes[0] ?? '', /^There is no defect slow-bot\..*slow-boot/);
      return true;
    },
  );
});

test('no source file outside the rehearsal contains the name of a defect', () => {
  const root = join(import.meta.dirname, '../..');
  const files = globSync('src/**/*.ts', { cwd: root }).filter((path) => !path.startsWith(join('src', 'rehearsal')));
  assert.ok(files.length > 100);
  const found = files.flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return names.filter((name) => text.includes(`'${name}'`)).map((name) => `${path}: ${name}`);
  });
  assert.deepEqual(found, []);
});

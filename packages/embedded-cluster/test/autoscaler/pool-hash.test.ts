import assert from 'node:assert/strict';
import { test } from 'node:test';
import { poolHash } from '../../src/autoscaler/pool-hash.ts';
import * as objects from '../support/objects.ts';

test('the pool hash covers spec.template without requirements; disruption settings and the order of keys do not change it', () => {
  const { nodePool: base } = objects;
  const with_ = (spec: object) => ({ ...base, spec: { ...base.spec, ...spec } });
  assert.equal(poolHash(with_({ disruption: { consolidateAfter: '2m' } })), poolHash(base));
  assert.equal(
    poolHash(with_({ template: { ...base.spec.template, spec: { ...base.spec.template.spec, requirements: [] } } })),
    poolHash(base),
  );
  const { expireAfter, nodeClassRef, requirements } = base.spec.template.spec;
  assert.equal(
    poolHash(
      with_({
        template: {
          spec: { requirements, nodeClassRef, ...(expireAfter === undefined ? {} : { expireAfter }) },
          metadata: { labels: { role: 'web' } },
        },
      }),
    ),
    poolHash(base),
  );
  assert.notEqual(
    poolHash(
      with_({ template: { ...base.spec.template, spec: { ...base.spec.template.spec, expireAfter: 'Never' } } }),
    ),
    poolHash(base),
  );
});

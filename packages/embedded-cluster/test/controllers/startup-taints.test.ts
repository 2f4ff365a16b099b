import assert from 'node:assert/strict';
import { test } from 'node:test';
import { removeStartupTaints } from '../../src/controllers/startup-taints.ts';
import type { Node } from '../../src/kubernetes/resources.ts';
import type { Site } from '../../src/setup/site.ts';

const readyAt = Date.parse('2026-01-01T00:00:00Z');
const cilium = { key: 'node.cilium.io/agent-not-ready', value: 'true', effect: 'NoExecute' } as const;
const own = { key: 'team', effect: 'NoSchedule' } as const;
const node: Node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'a' },
  spec: { taints: [cilium, own] },
  status: { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }] },
};

test('startup taints go some seconds after a node is Ready, and no other taint does', async () => {
  const patched: unknown[] = [];
  const siteAt = (seconds: number) =>
    ({
      now: () => readyAt + 1000 * seconds,
      delay: () => 10,
      cluster: { patch: async (_kind: string, _place: object, { value }: { value: unknown }) => patched.push(value) },
    }) as unknown as Site;
  assert.equal(await removeStartupTaints(siteAt(4), [cilium.key], node), 6);
  assert.equal(await removeStartupTaints(siteAt(10), [cilium.key], node), undefined);
  assert.deepEqual(patched, [{ spec: { taints: [own] } }]);
});

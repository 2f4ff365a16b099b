import assert from 'node:assert/strict';
import { test } from 'node:test';
import { driftOf } from '../../src/autoscaler/drift.ts';
import type { NodeClaim } from '../../src/kubernetes/autoscaler.ts';
import * as objects from '../support/objects.ts';

test('a claim drifts when its hash differs or its labels no longer meet the requirements, and not across hash versions', () => {
  const claim = (annotations: Record<string, string>, arch = 'arm64'): NodeClaim => ({
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: {
      name: 'c',
      annotations,
      labels: {
        'kubernetes.io/arch': arch,
        'kubernetes.io/os': 'linux',
        'karpenter.sh/capacity-type': 'on-demand',
        'karpenter.k8s.aws/instance-category': 'r',
        'karpenter.k8s.aws/instance-generation': '8',
      },
    },
    spec: { nodeClassRef: { group: 'g', kind: 'k', name: 'n' }, requirements: [] },
  });
  const marks = (hash: string, version = 'v3') => ({
    'karpenter.sh/nodepool-hash': hash,
    'karpenter.sh/nodepool-hash-version': version,
  });
  const of = (annotations: Record<string, string>) => ({ ...objects.nodePool, metadata: { name: 'p', annotations } });
  assert.equal(driftOf(claim(marks('1')), of(marks('1'))), undefined);
  assert.equal(driftOf(claim(marks('1')), of(marks('2'))), 'NodePoolDrifted');
  assert.equal(driftOf(claim(marks('1', 'v2')), of(marks('2'))), undefined);
  assert.equal(driftOf(claim(marks('1'), 'amd64'), of(marks('1'))), 'RequirementsDrifted');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Located, ManifestObject } from '../../../src/cli/manifests/located.ts';
import { withStandIns } from '../../../src/cli/manifests/stand-ins.ts';

const object = (apiVersion: string, kind: string, spec: object): ManifestObject =>
  ({ apiVersion, kind, metadata: { name: 'web' }, spec }) as unknown as ManifestObject;
function taken(one: ManifestObject) {
  const located: Located = { file: 'web.yaml', object: one, lineOf: () => 7 };
  const { objects, left } = withStandIns([located]);
  return { ...Object(objects[0]?.object), left: left.map(({ at, what, concerns }) => [at.line, what, concerns]) };
}
const pods = { selector: { matchLabels: { app: 'web' } }, template: { spec: { containers: [] } } };

test('a Rollout of Argo is taken as a Deployment with the surge of its canary, or of blue and green', () => {
  const canary = { canary: { steps: [{ setWeight: 20 }], maxSurge: 1 } };
  const { kind, apiVersion, spec, left } = taken(
    object('argoproj.io/v1alpha1', 'Rollout', { replicas: 3, ...pods, analysis: {}, strategy: canary }),
  );
  assert.deepEqual([kind, apiVersion], ['Deployment', 'apps/v1']);
  const rollingUpdate = { maxSurge: 1, maxUnavailable: '25%' };
  assert.deepEqual(spec, { replicas: 3, ...pods, strategy: { type: 'RollingUpdate', rollingUpdate } });
  assert.match(left[0][1], /^Rollout web of Argo is rehearsed as a Deployment/);
  const blue = taken(object('argoproj.io/v1alpha1', 'Rollout', { ...pods, strategy: { blueGreen: {} } }));
  assert.deepEqual(blue.spec.strategy.rollingUpdate, { maxSurge: '100%', maxUnavailable: 0 });
});

test('a ScaledObject of KEDA is taken as the HorizontalPodAutoscaler that it makes, never below one replica', () => {
  const triggers = [{ type: 'cpu', metadata: { value: '60' } }, { type: 'kafka' }];
  const { kind, metadata, spec, left } = taken(
    object('keda.sh/v1alpha1', 'ScaledObject', { scaleTargetRef: { name: 'web' }, maxReplicaCount: 9, triggers }),
  );
  assert.deepEqual([kind, metadata.name], ['HorizontalPodAutoscaler', 'keda-hpa-web']);
  const target = { type: 'Utilization', averageUtilization: 60 };
  assert.deepEqual(spec, {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    minReplicas: 1,
    maxReplicas: 9,
    metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }],
  });
  assert.match(left[0][1], /kafka ask for no more than the fewest; it is never scaled to 0$/);
});

test('a NodePool of EKS Auto Mode asks for the same machines by the labels of Karpenter’s own provider', () => {
  const requirements = [{ key: 'eks.amazonaws.com/instance-category', operator: 'In', values: ['c'] }];
  const nodeClassRef = { group: 'eks.amazonaws.com', kind: 'NodeClass', name: 'default' };
  const pool = object('karpenter.sh/v1', 'NodePool', { template: { spec: { nodeClassRef, requirements } } });
  const { template } = taken(pool).spec;
  assert.equal(template.spec.requirements[0].key, 'karpenter.k8s.aws/instance-category');
  assert.equal(template.spec.nodeClassRef.kind, 'EC2NodeClass');
  assert.equal(template.metadata.labels['eks.amazonaws.com/compute-type'], 'auto');
});

test('what Kubernetes and Karpenter have themselves stays as it is', () => {
  const hpa = object('autoscaling/v2', 'HorizontalPodAutoscaler', { scaleTargetRef: { kind: 'Deployment' } });
  assert.deepEqual(taken(hpa).left, []);
  assert.deepEqual(taken(object('apps/v1', 'Deployment', pods)).spec, pods);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inApi, request } from './in-api.ts';

const first = '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers';
const second = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
const autoscaler = {
  apiVersion: 'autoscaling/v1',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    maxReplicas: 5,
    targetCPUUtilizationPercentage: 70,
  },
};
const cpu = (averageUtilization: number) => [
  { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } },
];

test('an autoscaler of v1 is the same object in v2, and the other way round', () =>
  inApi(async ({ server }) => {
    const created = await request(server, 'POST', first, autoscaler);
    const { apiVersion, spec } = created.json;
    assert.deepEqual([created.status, apiVersion], [201, 'autoscaling/v1']);
    assert.deepEqual(spec, { ...autoscaler.spec, minReplicas: 1 });
    const inSecond = await request(server, 'GET', `${second}/web`);
    assert.deepEqual([inSecond.json.apiVersion, inSecond.json.spec.metrics], ['autoscaling/v2', cpu(70)]);
    const status = {
      desiredReplicas: 3,
      currentReplicas: 2,
      currentMetrics: [
        { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 90, averageValue: '90m' } } },
      ],
    };
    await request(
      server,
      'PATCH',
      `${second}/web/status`,
      { status },
      { 'content-type': 'application/merge-patch+json' },
    );
    const list = await request(server, 'GET', first);
    assert.deepEqual([list.json.kind, list.json.apiVersion], ['HorizontalPodAutoscalerList', 'autoscaling/v1']);
    assert.deepEqual(list.json.items[0].status, {
      desiredReplicas: 3,
      currentReplicas: 2,
      currentCPUUtilizationPercentage: 90,
    });
    const merge = { 'content-type': 'application/merge-patch+json' };
    await request(server, 'PATCH', `${first}/web`, { spec: { targetCPUUtilizationPercentage: 40 } }, merge);
    assert.deepEqual((await request(server, 'GET', `${second}/web`)).json.spec.metrics, cpu(40));
    assert.equal((await request(server, 'DELETE', `${first}/web`)).status, 200);
    assert.equal((await request(server, 'GET', `${second}/web`)).status, 404);
  }));

test('without a percentage v1 has the default of v2; a wrong field is refused in both', () =>
  inApi(async ({ server }) => {
    const { targetCPUUtilizationPercentage: _, ...spec } = autoscaler.spec;
    const { json } = await request(server, 'POST', first, { ...autoscaler, spec });
    assert.equal(json.spec.targetCPUUtilizationPercentage, 80);
    const wrong = { ...autoscaler, metadata: { name: 'other' }, spec: { ...spec, maxReplica: 3 } };
    const refused = await request(server, 'POST', `${first}?fieldValidation=Strict`, wrong);
    assert.equal(refused.status, 400);
    assert.match(refused.json.message, /unknown field "spec.maxReplica"/);
  }));

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCheck } from '../../../src/validation/checks/check.ts';
import { otherWriters } from '../../../src/validation/checks/other-writers.ts';
import { type ApiSite, apiSite } from '../../support/api-site.ts';
import { checkedRun, findingOf, fine } from '../../support/checked.ts';

const metadata = { namespace: 'default', name: 'nginx-test' };

const deployment = (labels: object, over: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { ...metadata, ...over },
  spec: {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'nginx', image: 'nginx:1' }] } },
  },
});

const name = /default\/nginx-test/;

/** The check warns and names the other writer. */
async function warned(at: ApiSite, observed: RegExp): Promise<void> {
  const finding = await runCheck(otherWriters, checkedRun(at));
  assert.deepEqual([finding.severity, otherWriters.mandatory], ['warning', false]);
  assert.match(finding.subject, name);
  assert.match(finding.observed, observed);
  assert.match(finding.advice, /pause it/);
}

test('a HorizontalPodAutoscaler and a GitOps controller of the application are named', async () => {
  await apiSite(async (at) => {
    await fine(otherWriters, at, /^nobody else does$/);
    await at.put(deployment({ app: 'nginx-test' }));
    await fine(otherWriters, at, /^nobody else does$/);
    const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'nginx-test' };
    const scaler = (of: string, scaleTargetRef: object) => ({
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { ...metadata, name: of },
      spec: { scaleTargetRef, minReplicas: 3, maxReplicas: 9 },
    });
    await at.put(scaler('elsewhere', { ...target, name: 'another' }));
    await fine(otherWriters, at, /^nobody else does$/);
    await at.put(scaler('web', target));
    await warned(at, /^HorizontalPodAutoscaler default\/web sets 3 to 9 replicas$/);
  });
  for (const [over, observed] of [
    [{ labels: { 'argocd.argoproj.io/instance': 'x' } }, /^Argo CD keeps Deployment default\/nginx-test in sync$/],
    [
      { annotations: { 'kustomize.toolkit.fluxcd.io/name': 'x' } },
      /^Flux keeps Deployment default\/nginx-test in sync$/,
    ],
  ] as const)
    await apiSite(async (at) => {
      await at.put(deployment({ app: 'nginx-test' }, over));
      await warned(at, observed);
    });
});

test('a caller that may not read HorizontalPodAutoscalers gets no warning', () =>
  apiSite(async (at) => {
    at.it.fault = ({ url }) =>
      url.includes('horizontalpodautoscalers')
        ? { kind: 'answer', status: 403, text: '{"reason":"Forbidden","message":"no"}' }
        : undefined;
    assert.equal((await findingOf(otherWriters, at)).observed, 'nobody else does');
  }));

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomStreams } from '../../../packages/embedded-cluster/src/outside/random.ts';
import { loadByJob } from '../../../src/validation/actions/load-by-job.ts';
import { undoAction } from '../../../src/validation/actions/undo-action.ts';
import { jobOf } from '../../../src/validation/load-job/load-job.ts';
import { plannedLoad } from '../../../src/validation/scenarios/load-target.ts';
import { type Settings, validationSchema } from '../../../src/validation/settings.ts';
import type { Site } from '../../../src/validation/site.ts';
import { actingOn } from '../../support/acting-on.ts';
import { apiSite } from '../../support/api-site.ts';

const settingsWith = (load: object): Settings => validationSchema.parse({ load });
const target = (load: object = { workers: 4 }) => {
  const planned = plannedLoad(settingsWith(load));
  assert.equal(planned.action, 'load-by-job');
  return planned.target as Parameters<typeof loadByJob.prepare>[1];
};
const prepared = { namespace: 'default', name: 'holdfast-load-0' };
const drawing = (site: Site): Site => ({ ...site, host: { ...site.host, random: randomStreams('load') } });
const jobWith = (load: object) => jobOf('holdfast-load-0', target(load)).spec.template.spec;

test('without workers this machine makes the load', () => {
  assert.equal(plannedLoad(settingsWith({})).action, 'send-load');
});

test('the Job is Indexed, its parallelism is its completions, and it goes by itself', () => {
  const { spec } = jobOf('holdfast-load-0', target());
  const { completionMode, completions, parallelism, backoffLimit, ttlSecondsAfterFinished } = spec;
  assert.deepEqual(
    { completionMode, completions, parallelism, backoffLimit, ttlSecondsAfterFinished },
    { completionMode: 'Indexed', completions: 4, parallelism: 4, backoffLimit: 4, ttlSecondsAfterFinished: 3600 },
  );
  // 300 s to run, 5.04 s to the start, 40 turns of 10 s and one more, and a minute for the report.
  assert.equal(spec.activeDeadlineSeconds, 776);
});

test('a worker has no token, no rights, no root that can be written, and no more than it requests', () => {
  const { containers, ...pod } = jobWith({ workers: 4 });
  const [{ securityContext, resources } = assert.fail('no container')] = containers;
  assert.deepEqual(
    [pod.automountServiceAccountToken, pod.securityContext?.runAsNonRoot, securityContext?.readOnlyRootFilesystem],
    [false, true, true],
  );
  assert.deepEqual(securityContext?.capabilities, { drop: ['ALL'] });
  assert.deepEqual(resources?.requests, resources?.limits);
});

test('workers stay off the nodes that Karpenter launched, or go where the settings say', () => {
  const required = (load: object) =>
    jobWith(load).affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  assert.deepEqual(required({ workers: 4 }), [
    { matchExpressions: [{ key: 'karpenter.sh/nodepool', operator: 'DoesNotExist' }] },
  ]);
  const own = { workers: 4, worker: { nodeSelector: 'role=load,size=large', priorityClass: 'low', tolerations: [] } };
  assert.equal(required(own), undefined);
  const { nodeSelector, priorityClassName, tolerations, affinity } = jobWith(own);
  assert.deepEqual([nodeSelector, priorityClassName, tolerations], [{ role: 'load', size: 'large' }, 'low', []]);
  // Preferred, because a required one would keep the application's new pods off the workers' nodes.
  assert.equal(affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution, undefined);
  assert.deepEqual(
    affinity?.podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution?.map(
      ({ podAffinityTerm: { namespaces, labelSelector } }) => [namespaces, labelSelector?.matchLabels],
    ),
    [
      [['default'], { app: 'nginx-test' }],
      [['ingress-nginx'], { 'app.kubernetes.io/component': 'controller' }],
    ],
  );
});

test('more workers than requests or than concurrency are a mistake', () => {
  const mistakes = (load: object) =>
    validationSchema.safeParse({ load }).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
  assert.deepEqual(mistakes({ workers: 11, concurrency: 10 }), [
    'load.workers is more than load.concurrency: each worker has a request under way',
  ]);
  assert.deepEqual(mistakes({ workers: 11, requests: 10, concurrency: 11 }), [
    'load.workers is more than load.requests: each worker sends one',
  ]);
  assert.equal(mistakes({ workers: 10, requests: 10, concurrency: 10 }), undefined);
});

test('an undo after a kill deletes the Job by the name that was written down, once, and keeps somebody else’s', () =>
  apiSite(async (at) => {
    const { cluster } = at;
    const site = drawing(at.site);
    const intent = await loadByJob.prepare(site, target());
    const begun = { id: 'action-1', action: 'load-by-job', subject: loadByJob.subject(intent), intent };
    const undo = () => undoAction(site, actingOn(at).journal, JSON.parse(JSON.stringify(begun)));
    assert.equal((await undo()).state, 'not-needed');
    await cluster.create(jobOf(intent.name, intent));
    assert.deepEqual(await undo(), { state: 'undone', because: 'it is deleted, and its pods are gone' });
    assert.equal(await cluster.get('Job', { namespace: 'default', name: intent.name }), undefined);
    assert.equal((await undo()).state, 'not-needed');
    const foreign = jobOf(intent.name, intent);
    await cluster.create({ ...foreign, metadata: { ...foreign.metadata, labels: { app: 'other' } } });
    assert.equal((await undo()).state, 'kept');
  }));

test('every Job has a name of its own', () =>
  apiSite(async (at) => {
    const site = drawing(at.site);
    const [one, other] = [await loadByJob.prepare(site, target()), await loadByJob.prepare(site, target())];
    assert.match(one.name, /^holdfast-load-[0-9a-f]{8}$/);
    assert.notEqual(one.name, other.name);
    assert.equal(loadByJob.byHand({ ...one, ...prepared }), 'kubectl -n default delete job holdfast-load-0');
  }));

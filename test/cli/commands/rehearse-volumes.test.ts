import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Deployment } from '../../../src/cluster/resources.ts';
import { holdfast } from '../../support/command-line.ts';
import { container, ingress, service, strong } from '../../support/own-manifests.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const label = { 'app.kubernetes.io/name': 'shop' };
const overZones = {
  maxSkew: 1,
  topologyKey: 'topology.kubernetes.io/zone',
  whenUnsatisfiable: 'DoNotSchedule',
  labelSelector: { matchLabels: label },
};
const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Gi' } } };

/** Three pods over three zones; `claims`: each with a volume of its own. */
const set = (claims: boolean) => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'shop' },
  spec: {
    serviceName: 'shop',
    replicas: 3,
    podManagementPolicy: 'Parallel',
    selector: { matchLabels: label },
    template: {
      metadata: { labels: label },
      spec: {
        topologySpreadConstraints: [overZones],
        containers: [
          {
            ...container,
            readinessProbe: { httpGet: { path: '/', port: 'http' }, periodSeconds: 1 },
            lifecycle: { preStop: { sleep: { seconds: 10 } } },
          },
        ],
      },
    },
    ...(claims ? { volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claim }] } : {}),
  },
});

/** From the deed to the replacement’s Ready, seconds. */
function podReady(t: TestContext, claims: boolean, scenario: 'node-drain' | 'instance-kill') {
  const folder = temporaryFolder(t);
  const all = [set(claims), service(), ingress()];
  writeFileSync(join(folder, 'web.yaml'), all.map((one) => JSON.stringify(one)).join('\n---\n'));
  const words = ['--scenario', scenario, '--no-assumptions', '--quiet', '--seed', '1'];
  const ran = holdfast(folder, ['rehearse', '-f', 'web.yaml', '--out', 'run', ...words]);
  assert.ok(ran.status === 0 || ran.status === 1, ran.stderr);
  const report = JSON.parse(readFileSync(join(folder, 'run', 'report.json'), 'utf8'));
  const { podReadySeconds, findings } = report.scenarios.find(
    ({ name }: { readonly name: string }) => name === scenario,
  );
  const prediction = findings.find(({ id }: { readonly id: string }) => id === 'prediction').observed as string;
  return { seconds: podReadySeconds as number, prediction };
}

test('a pod of a StatefulSet waits six minutes for the volume that a killed instance holds, as predicted', (t) => {
  const [without, held] = [podReady(t, false, 'instance-kill'), podReady(t, true, 'instance-kill')];
  assert.ok(without.seconds < 300, `${without.seconds} s without volumes`);
  assert.ok(held.seconds > 360 && held.seconds < 600, `${held.seconds} s with volumes`);
  assert.match(held.prediction, /pod ready [\d.]+ s, as predicted/);
});

test('after a drain a pod of a StatefulSet waits some seconds for its volume, in the zone that it cannot leave', (t) => {
  const [without, moved] = [podReady(t, false, 'node-drain'), podReady(t, true, 'node-drain')];
  assert.ok(moved.seconds < 200, `${moved.seconds} s, ${without.seconds} s without volumes`);
  assert.match(moved.prediction, /pod ready [\d.]+ s, as predicted/);
});

test('replicas that share a volume of one node keep a scale-up from its end, and the pods that wait are told', (t) => {
  const folder = temporaryFolder(t);
  const [web, ...rest] = strong();
  const { template, ...spec } = (web as Deployment).spec;
  const [one] = template.spec.containers;
  const mounted = {
    ...template.spec,
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    containers: [{ ...one, volumeMounts: [{ name: 'data', mountPath: '/data' }] }],
    topologySpreadConstraints: [],
  };
  const sharing = { ...web, spec: { ...spec, template: { ...template, spec: mounted } } };
  const data = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data' }, spec: claim };
  writeFileSync(join(folder, 'web.yaml'), [sharing, data, ...rest].map((each) => JSON.stringify(each)).join('\n---\n'));
  const words = ['--scenario', 'scale-up', '--no-assumptions', '--quiet', '--out', 'run'];
  const ran = holdfast(folder, ['rehearse', '-f', 'web.yaml', ...words]);
  const journal = readFileSync(join(folder, 'run', 'journal.jsonl'), 'utf8');
  assert.match(
    journal,
    /did not settle within 450 s: 2 of 5 pods ready, not ready: shop-web-\S+ \(ContainerCreating\) and 2 more/,
    ran.stderr,
  );
});

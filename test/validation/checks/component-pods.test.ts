import { test } from 'node:test';
import { autoscaler } from '../../../src/validation/checks/autoscaler.ts';
import { dnsAutomation } from '../../../src/validation/checks/dns-automation.ts';
import { apiSite } from '../../support/api-site.ts';
import { fine, wrong } from '../../support/checked.ts';

const pod = (
  namespace: string,
  name: string,
  app: string,
  containerStatuses: readonly object[] = [],
  ready = true,
) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace, name, labels: { 'app.kubernetes.io/name': app } },
  spec: { containers: [{ name: 'main', image: 'x:1' }] },
  status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }], containerStatuses },
});

test('the DNS-automation pods and the autoscaler pods must be running', async () => {
  for (const [check, namespace, app] of [
    [dnsAutomation, 'external-dns', 'external-dns'],
    [autoscaler, 'kube-system', 'karpenter'],
  ] as const) {
    await apiSite(async (at) => {
      await wrong(check, at, new RegExp(`name=${app} in namespace ${namespace}`), /no pod/);
      await at.put(pod(namespace, 'one', app));
      await fine(check, at, /1 of 1 ready/);
      const waiting = { name: 'main', ready: false, state: { waiting: { reason: 'ImagePullBackOff' } } };
      await at.put(pod(namespace, 'two', app, [waiting], false));
      await wrong(check, at, /two/, /1 of 2 ready; not ready: two \(ImagePullBackOff\)/);
      const evicted = pod(namespace, 'three', app, [], false);
      await at.put({ ...evicted, status: { ...evicted.status, phase: 'Failed' } });
      await wrong(check, at, /two/, /1 of 2 ready; not ready: two \(ImagePullBackOff\)$/);
    });
  }
});

test('a component in a crash loop is not healthy while it is ready', () =>
  apiSite(async (at) => {
    const ended = (seconds: number) => ({
      lastState: {
        terminated: {
          exitCode: 1,
          reason: 'Error',
          finishedAt: new Date(at.it.clock.wallAt() - seconds * 1000).toISOString(),
        },
      },
    });
    await at.put(pod('external-dns', 'calm', 'external-dns', [{ name: 'main', ready: true, ...ended(3600) }]));
    await fine(dnsAutomation, at, /1 of 1 ready/);
    await at.put(pod('external-dns', 'restless', 'external-dns', [{ name: 'main', ready: true, ...ended(30) }]));
    await wrong(dnsAutomation, at, /restless/, /2 of 2 ready; restarting: restless \(Error\)/);
  }));

test('other pods of the namespace do not count as the component', () =>
  apiSite(async (at) => {
    await at.put(pod('kube-system', 'one', 'karpenter'), pod('kube-system', 'dns', 'coredns', [], false));
    await fine(autoscaler, at, /^1 of 1 ready$/);
  }));

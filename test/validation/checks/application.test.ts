import { test } from 'node:test';
import type { Host } from '../../../src/host/host.ts';
import { application } from '../../../src/validation/checks/application.ts';
import { type ApiSite, apiSite } from '../../support/api-site.ts';
import { fine, wrong } from '../../support/checked.ts';

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

const rest = [
  { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ port: 80 }] } },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata,
    spec: { defaultBackend: { service: { name: 'nginx-test', port: { number: 80 } } } },
  },
  {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { ...metadata, name: 'nginx-pdb' },
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'nginx-test' } } },
  },
];

const container = { containers: [{ name: 'nginx', image: 'nginx:1' }] };

const own = { manifests: 'none' } as const;

const name = /default\/nginx-test/;

/** The same site with an application that answers like this. */
function answering(at: ApiSite, sample: object): ApiSite {
  const probe: Host['probe'] = async () => ({ status: 200, seconds: 0.01, ...sample }) as never;
  return { ...at, site: { ...at.site, host: { ...at.site.host, probe } } };
}

test('with manifests: none every object of the application must exist and the application must answer', () =>
  apiSite(async (at) => {
    await fine(application, at, /phase 3 applies it/);
    await wrong(
      application,
      at,
      name,
      /^there is no Deployment nginx-test, Service nginx-test, Ingress nginx-test, PodDisruptionBudget nginx-pdb$/,
      own,
    );
    await at.put(deployment({ app: 'nginx-test' }), ...rest);
    await wrong(
      application,
      answering(at, { status: 0, error: 'refused' }),
      name,
      /^status 000 \(refused\); it has no pod$/,
      own,
    );
    await wrong(application, answering(at, { status: 503 }), name, /^status 503; it has no pod$/, own);
    await at.put({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...metadata, labels: { app: 'nginx-test' } },
      spec: container,
    });
    await wrong(application, answering(at, { status: 503 }), name, /; 0 of 1 pods ready, not ready: nginx-test$/, own);
    await wrong(application, answering(at, { bodyMatched: false }), name, /page does not begin with 'Welcome to/, own);
    await fine(application, answering(at, { bodyMatched: true }), /all of it is there, and it answers/, own);
  }));

test('an application whose pods the settings do not select is refused', () =>
  apiSite(async (at) => {
    await at.put(deployment({ app: 'another' }), ...rest);
    await wrong(application, answering(at, {}), name, /^there is no label app=nginx-test on its pods$/, own);
  }));

test('pods of others behind its Service which nothing shows to serve are named: requests to them fail', () =>
  apiSite(async (at) => {
    const [service, ...others] = rest;
    const selector = { app: 'nginx-test' };
    const selecting = { ...service, spec: { selector, ports: [{ port: 80, targetPort: 8080 }] } };
    await at.put(deployment({ app: 'nginx-test', role: 'web' }), selecting, ...others);
    const pod = (name: string, role: string, container: object) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { namespace: 'default', name, labels: { ...selector, role } },
      spec: { containers: [{ name: 'c', image: 'c:1', ...container }] },
    });
    const serving = { ports: [{ containerPort: 8080 }] };
    await at.put(pod('web-1', 'web', serving), pod('canary-1', 'canary', serving), pod('worker-1', 'worker', {}));
    const selected = { ...own, applicationSelector: 'app=nginx-test,role=web' };
    await wrong(
      application,
      answering(at, {}),
      name,
      /Service nginx-test also selects worker-1, which name no port/,
      selected,
    );
    await at.cluster.delete('Pod', { namespace: 'default', name: 'worker-1' }, { gracePeriodSeconds: 0 });
    await fine(application, answering(at, {}), /all of it is there/, selected);
  }));

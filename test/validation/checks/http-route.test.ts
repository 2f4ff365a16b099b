import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClusterClient } from '../../../src/cluster/client.ts';
import { httpRoute } from '../../../src/validation/checks/http-route.ts';
import { type ApiSite, apiSite } from '../../support/api-site.ts';
import { findingOf, fine, wrong } from '../../support/checked.ts';

const conditions = ['Accepted', 'ResolvedRefs'].map((type) => ({ type, status: 'True' }));
const route = (backendRefs: readonly object[], over: object = {}) => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'HTTPRoute',
  metadata: { name: 'front', namespace: 'default' },
  spec: { parentRefs: [{ name: 'edge', namespace: 'traefik' }], rules: [{ backendRefs }] },
  status: { parents: [{ parentRef: { name: 'edge' }, conditions }] },
  ...over,
});
const gateway = (...addresses: readonly string[]) => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'Gateway',
  metadata: { name: 'edge', namespace: 'traefik' },
  status: { addresses: addresses.map((value) => ({ value })) },
});
const balancer = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace: 'ingress-nginx', name: 'ingress-nginx-controller' },
  spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
  status: { loadBalancer: { ingress: [{ hostname: 'edge.elb.us-east-1.amazonaws.com' }] } },
};
const web = { name: 'nginx-test', port: 80 };
const own = { manifests: 'none', httpRoute: 'front' } as const;
const name = /HTTPRoute default\/front/;

/** The site with these objects of the Gateway API, by `KIND namespace/name`. */
function withObjects(
  at: ApiSite,
  ...objects: readonly (ReturnType<typeof route> | ReturnType<typeof gateway>)[]
): ApiSite {
  const found = new Map(objects.map((one) => [`${one.kind} ${one.metadata.namespace}/${one.metadata.name}`, one]));
  const objectsOf: ClusterClient['objectsOf'] = (place) => ({
    ...at.site.cluster.objectsOf(place),
    get: async ({ namespace, name: of }) => found.get(`${place.kind} ${namespace}/${of}`),
  });
  return { ...at, site: { ...at.site, cluster: { ...at.site.cluster, objectsOf } } };
}

test('the route must be taken by its Gateways and send to the application’s Service', () =>
  apiSite(async (at) => {
    await wrong(httpRoute, at, name, /there is no such HTTPRoute/, own);
    await fine(httpRoute, withObjects(at, route([web])), /accepted by edge/, own);
    await wrong(httpRoute, withObjects(at, route([{ name: 'api', port: 80 }])), name, /sends to api/, own);
    await wrong(httpRoute, withObjects(at, route([web], { status: undefined })), name, /no controller/, own);
  }));

test('the manifests of -f bring the route, or mend the one that is there', () =>
  apiSite(async (at) => {
    const applied = { ...own, applied: [] };
    await fine(httpRoute, at, /^phase 3 applies it$/, applied);
    await fine(httpRoute, withObjects(at, route([])), /^phase 3 applies it; now it sends to nothing/, applied);
  }));

test('the Gateway must be reached by the Service of the ingress controller', () =>
  apiSite(async (at) => {
    const [here, there] = ['edge.elb.us-east-1.amazonaws.com', 'other.elb.us-east-1.amazonaws.com'];
    const elsewhere = withObjects(at, route([web]), gateway(there));
    await fine(httpRoute, elsewhere, /accepted/, own);
    await at.put(balancer);
    await wrong(httpRoute, elsewhere, name, /Gateway edge is at other\.elb.*-controller at edge\.elb/, own);
    await fine(httpRoute, withObjects(at, route([web]), gateway(there, here)), /accepted/, own);
    await fine(httpRoute, withObjects(at, route([web]), gateway()), /accepted/, own);
  }));

test('another Service that gets a part of the requests is a warning', () =>
  apiSite(async (at) => {
    const shared = route([web, { name: 'canary', port: 80, weight: 1 }]);
    const finding = await findingOf(httpRoute, withObjects(at, shared), own);
    assert.equal(finding.severity, 'warning');
    assert.match(finding.observed, /shares its requests with canary/);
    await fine(httpRoute, withObjects(at, route([web, { name: 'canary', port: 80, weight: 0 }])), /accepted/, own);
  }));

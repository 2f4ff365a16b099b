import { connect } from '../../src/cluster/client.ts';
import { gatewayPlaces, type HttpRoute } from '../../src/cluster/gateway-api.ts';
import { apiServerUrl } from '../../src/rehearsal/host.ts';
import { ingressOf } from '../../src/validation/manifests/http-route.ts';
import type { Shell } from './cluster-commands.ts';

const definitionOf = (kind: 'HTTPRoute' | 'Gateway') => {
  const { plural } = gatewayPlaces[kind];
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.gateway.networking.k8s.io` },
    spec: {
      group: 'gateway.networking.k8s.io',
      scope: 'Namespaced',
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  };
};
/**
 * Definitions that take whatever has the kind; those of the Gateway API itself are on the real cluster
 * (test/referee/gateway).
 */
export const gatewayDefinitions = [definitionOf('HTTPRoute'), definitionOf('Gateway')];

const definitions = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

/**
 * Plays a Gateway `edge` and its controller: an HTTPRoute that is applied gets an Ingress through the embedded ingress
 * controller and the conditions of one that was taken, a second later; `condition` is the second of them.
 */
export async function playGateway(shell: Shell, condition: object = resolved): Promise<void> {
  const { host } = shell;
  const client = connect(host, { server: apiServerUrl });
  for (const one of gatewayDefinitions) await client.objectsOf(definitions).apply(one, { fieldManager: 'somebody' });
  const take = async (route: HttpRoute, path: string) => {
    await host.clock.sleep(1);
    await client.apply(ingressOf(route, []), { fieldManager: 'edge' });
    const parents = [
      { parentRef: { name: 'edge' }, controllerName: 'example.com/edge', conditions: [accepted, condition] },
    ];
    await host.http({
      method: 'PATCH',
      url: `${apiServerUrl}${path}/status`,
      headers: { 'content-type': 'application/merge-patch+json' },
      body: JSON.stringify({ status: { parents } }),
      timeoutSeconds: 10,
    });
  };
  shell.intercept = ({ method, url, body }) => {
    const { pathname, searchParams } = new URL(url);
    if (method === 'PATCH' && /\/httproutes\/[^/]+$/.test(pathname) && searchParams.get('dryRun') !== 'All')
      void take(JSON.parse(body ?? ''), pathname);
    return undefined;
  };
}

const accepted = { type: 'Accepted', status: 'True', reason: 'Accepted' };
const resolved = { type: 'ResolvedRefs', status: 'True', reason: 'ResolvedRefs' };

import type { Gateway, HttpRoute } from '../../cluster/gateway-api.ts';
import { sharers, stateOf } from '../manifests/route-state.ts';
import { readGateways, readWayIn } from '../observe/read-way-in.ts';
import { appliesApplication, entranceOf, serviceName, wayInOf } from '../settings.ts';
import { asExpected, type Check, type CheckedRun, notAsExpected } from './check.ts';

/**
 * With `httpRoute`: the Gateways of the route let visitors through to the application's Service, and their address is
 * that of the controller's Service; else the scenario of the controller would disturb pods that no visitor meets.
 */
export const httpRoute: Check = {
  name: 'http-route',
  mandatory: true,
  ofRoute: true,
  async look(run) {
    const { site, settings } = run;
    const { namespace } = settings;
    const service = serviceName(settings);
    const name = wayInOf(settings)?.name ?? '';
    const assertion = {
      id: 'http-route',
      subject: `HTTPRoute ${namespace}/${name}`,
      object: { kind: 'HTTPRoute', namespace, name },
      expected: `a Gateway of the ingress controller takes it, and it sends to Service ${service}`,
    };
    const route = (await readWayIn(site.cluster, settings)) as HttpRoute | undefined;
    if (route === undefined)
      return appliesApplication(settings)
        ? asExpected(assertion, 'phase 3 applies it')
        : notAsExpected(
            assertion,
            'there is no such HTTPRoute',
            'name yours in validation.httpRoute, or apply it first',
          );
    const { isServed, observed } = stateOf(route, service);
    // Phase 3 applies it as it has to be, and waits until it is taken.
    if (!isServed && appliesApplication(settings)) return asExpected(assertion, `phase 3 applies it; now ${observed}`);
    if (!isServed)
      return notAsExpected(
        assertion,
        observed,
        `see kubectl -n ${namespace} describe httproute ${route.metadata.name}`,
      );
    const elsewhere = await addressesElsewhere(run, await readGateways(site.cluster, route));
    if (elsewhere !== undefined) return notAsExpected(assertion, elsewhere, nameItsService);
    const others = sharers(route, service);
    if (others.length === 0) return asExpected(assertion, observed);
    return notAsExpected(
      assertion,
      `${observed}; it shares its requests with ${others.join(', ')}`,
      'give those backends the weight 0 for the run: what they answer is counted as the application’s',
      'warning',
    );
  },
};

const nameItsService =
  'name the Service through which visitors reach the Gateway, and the pods behind it, in validation.ingressController';

/** What is wrong where Gateways have addresses, and none is one of the Service's. */
async function addressesElsewhere(
  { site, settings }: CheckedRun,
  gateways: readonly Gateway[],
): Promise<string | undefined> {
  const theirs = gateways.flatMap(({ status }) => (status?.addresses ?? []).map(({ value }) => value));
  const { namespace, name } = entranceOf(settings);
  const service = await site.cluster.get('Service', { namespace, name });
  const ours = (service?.status?.loadBalancer?.ingress ?? []).flatMap(({ hostname, ip }) => hostname ?? ip ?? []);
  // Without a Service, or without an address of it, ingress-address has said so.
  if (theirs.length === 0 || ours.length === 0 || theirs.some((address) => ours.includes(address))) return undefined;
  const names = gateways.map(({ metadata }) => metadata.name).join(', ');
  return `Gateway ${names} is at ${theirs.join(', ')}, and Service ${namespace}/${name} at ${ours.join(', ')}`;
}

import type { BackendReference, HttpRoute } from '../../cluster/gateway-api.ts';

/** Whether the Gateways of a route let visitors through to the Service, and what says so. */
export interface RouteState {
  readonly isServed: boolean;
  readonly observed: string;
}

/**
 * What a controller says of a route for each parent (Gateway API, RouteConditionType); without the first it sends
 * nobody, without the second to nobody.
 */
const wanted = ['Accepted', 'ResolvedRefs'] as const;

/**
 * Served is a route that sends to the Service, and that a controller took for each of its parents, its backends found.
 * A status of an older generation says nothing of the route as it is.
 */
export function stateOf(route: HttpRoute, service: string): RouteState {
  const senders = backendsOf(route).filter(({ weight = 1 }) => weight > 0);
  if (!senders.some((backend) => isTo(backend, route, service))) {
    const others = senders.map(({ name }) => name).join(', ') || 'nothing';
    return { isServed: false, observed: `it sends to ${others}, and not to Service ${service}` };
  }
  const parents = route.status?.parents ?? [];
  if (parents.length === 0)
    return { isServed: false, observed: 'no controller has taken it: its status has no parents' };
  const refusals = parents.flatMap((parent) => refusalsOf(route, parent));
  if (refusals.length > 0) return { isServed: false, observed: refusals.join('; ') };
  const names = [...new Set(parents.map(({ parentRef: { name } }) => name))].join(', ');
  return { isServed: true, observed: `accepted by ${names}, its backends found` };
}

const backendsOf = ({ spec }: HttpRoute): readonly BackendReference[] =>
  (spec?.rules ?? []).flatMap(({ backendRefs = [] }) => backendRefs);

const isTo = ({ kind = 'Service', namespace, name }: BackendReference, { metadata }: HttpRoute, service: string) =>
  kind === 'Service' && name === service && (namespace ?? metadata.namespace) === metadata.namespace;

type Parent = NonNullable<NonNullable<HttpRoute['status']>['parents']>[number];

function refusalsOf({ metadata }: HttpRoute, { parentRef, conditions = [] }: Parent): readonly string[] {
  return wanted.flatMap((type) => {
    const found = conditions.find((one) => one.type === type);
    if (found === undefined) return [`${parentRef.name} says nothing of ${type}`];
    const { status, reason = '', message = '', observedGeneration } = found;
    if (status !== 'True') return [`${parentRef.name}: ${type} is ${status} (${reason}): ${message}`];
    return (observedGeneration ?? metadata.generation ?? 0) < (metadata.generation ?? 0)
      ? [`${parentRef.name}: ${type} is of an older generation of the route`]
      : [];
  });
}

/** The Services to which a part of the requests goes beside this one, by the weights of the rules that send to it. */
export function sharers(route: HttpRoute, service: string): readonly string[] {
  const rules = (route.spec?.rules ?? []).map(({ backendRefs = [] }) =>
    backendRefs.filter(({ weight = 1 }) => weight > 0),
  );
  const shared = rules.filter((backends) => backends.some((backend) => isTo(backend, route, service)));
  return [
    ...new Set(
      shared
        .flat()
        .filter((backend) => !isTo(backend, route, service))
        .map(({ name }) => name),
    ),
  ];
}

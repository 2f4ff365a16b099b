import * as z from 'zod';
import type { Gateway, HttpRoute } from '../../cluster/gateway-api.ts';
import { ingressOf } from '../../validation/manifests/http-route.ts';
import { fieldText, type Located, type ManifestObject } from './located.ts';

/** The group of HTTPRoute and Gateway, whatever the version. */
const group = 'gateway.networking.k8s.io/';

export const isOfGateway = ({ object }: Pick<Located, 'object'>): boolean =>
  object.apiVersion.startsWith(group) && (object.kind === 'HTTPRoute' || object.kind === 'Gateway');

/**
 * For each HTTPRoute of the manifests the Ingress that stands in its place, at the route's lines; the definitions of
 * the Gateway API need not be there. `mistakes`: what is not as the Gateway API has it, one sentence each.
 */
export function ingressesOfRoutes(located: readonly Located[]) {
  const mistakes: string[] = [];
  const read = <T>(one: Located, schema: z.ZodType): readonly T[] => {
    const issues = schema.safeParse(one.object).error?.issues ?? [];
    mistakes.push(...issues.map(({ path, message }) => sentence(one, path, message)));
    return issues.length === 0 ? [one.object as unknown as T] : [];
  };
  const ofKind = (kind: string) => located.filter((one) => isOfGateway(one) && one.object.kind === kind);
  const gateways = ofKind('Gateway').flatMap((one) => read<Gateway>(one, gatewaySchema));
  const ingresses = ofKind('HTTPRoute').flatMap((one) =>
    read<HttpRoute>(one, routeSchema).map((route): Located => {
      const object = ingressOf(route, gateways) as unknown as ManifestObject;
      return { file: one.file, object, lineOf: () => one.lineOf(['spec', 'rules']), standsFor: 'spec.rules' };
    }),
  );
  return { ingresses, mistakes };
}

function sentence({ file, lineOf }: Located, path: readonly PropertyKey[], message: string): string {
  const field = path.filter((step) => typeof step !== 'symbol');
  return `${file}:${lineOf(field)}: ${fieldText(field)}: it must be ${message}.`;
}

const text = z.string('text');
const list = <S extends z.ZodType>(item: S) => z.array(item, 'a list');
const object = <S extends z.ZodRawShape>(members: S) => z.looseObject(members, 'an object');

const match = object({
  path: object({ type: text.optional(), value: text.startsWith('/', 'text that begins with /').optional() }).optional(),
});
/** A Service needs its port (Gateway API, BackendObjectReference). */
const backend = object({ kind: text.optional(), name: text, port: z.int('a whole number').optional() }).refine(
  ({ kind = 'Service', port }) => kind !== 'Service' || port !== undefined,
  { path: ['port'], message: 'the port of the Service' },
);
const routeSchema = object({
  spec: object({
    hostnames: list(text).optional(),
    parentRefs: list(object({ name: text, sectionName: text.optional() })).optional(),
    rules: list(object({ matches: list(match).optional(), backendRefs: list(backend).optional() })).optional(),
  }),
});
const gatewaySchema = object({
  spec: object({ listeners: list(object({ name: text, protocol: text, hostname: text.optional() })) }),
});

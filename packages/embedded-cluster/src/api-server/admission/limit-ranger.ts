import { isJson, type Json } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { type Amounts, amounts, plus, quantity } from '../../objects/quantities.ts';
import type { Api, ApiRequest } from '../api.ts';
import { refusals } from '../refusals.ts';
import { itemsOf } from '../validation/pods/containers.ts';

/** The items of the namespace's LimitRanges of that type. */
function limitsOf(api: Api, namespace: string | undefined, type: string): readonly Json[] {
  const ranges = api.objects.list('LimitRange.', namespace);
  return ranges.flatMap(({ spec }) => itemsOf(spec?.limits)).filter((limit) => limit.type === type);
}

const jsonOf = (value: unknown): Json => (isJson(value) ? value : {});

/**
 * The admission plugin LimitRanger (kubernetes, plugin/pkg/admission/limitranger), what it fills in: requests and
 * limits of containers that have none.
 */
export function withContainerDefaults(spec: Json, api: Api, { namespace }: ApiRequest): Json {
  const limits = limitsOf(api, namespace, 'Container');
  if (limits.length === 0) return spec;
  const [defaults, requested] = [merged(limits, 'default'), merged(limits, 'defaultRequest')];
  const completed = (container: Json): Json => {
    const { limits: own, requests, ...rest } = jsonOf(container.resources);
    const [whole, asked] = [
      { ...defaults, ...jsonOf(own) },
      { ...requested, ...jsonOf(requests) },
    ];
    return {
      ...container,
      resources: {
        ...rest,
        ...(Object.keys(whole).length > 0 && { limits: whole }),
        ...(Object.keys(asked).length > 0 && { requests: asked }),
      },
    };
  };
  const lists = ['containers', 'initContainers'].flatMap((key) =>
    Array.isArray(spec[key]) ? [[key, itemsOf(spec[key]).map(completed)]] : [],
  );
  return { ...spec, ...Object.fromEntries(lists) };
}

/** The annotation that says what the plugin has filled in. */
export function withLimitNotes(object: StoredObject, sent: Json): StoredObject {
  const notes = (['initContainers', 'containers'] as const).flatMap((list) =>
    itemsOf(object.spec?.[list]).flatMap((container, index) => {
      const before = jsonOf(itemsOf(sent[list])[index]?.resources);
      const what = `${list === 'containers' ? '' : 'init '}container ${container.name}`;
      return [
        ...note(jsonOf(container.resources).requests, before.requests, `request for ${what}`),
        ...note(jsonOf(container.resources).limits, before.limits, `limit for ${what}`),
      ];
    }),
  );
  if (notes.length === 0) return object;
  const annotations = { ...object.metadata.annotations, [annotation]: `LimitRanger plugin set: ${notes.join('; ')}` };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

const annotation = 'kubernetes.io/limit-ranger';

function note(now: unknown, before: unknown, what: string): readonly string[] {
  const added = Object.keys(jsonOf(now)).filter((name) => jsonOf(before)[name] === undefined);
  return added.length === 0 ? [] : [`${added.toSorted().join(', ')} ${what}`];
}

/** The amounts of several items; the first one that has an amount counts. */
const merged = (limits: readonly Json[], key: string): Json =>
  Object.assign({}, ...limits.toReversed().map((limit) => jsonOf(limit[key])));

/** The same plugin, what it refuses with a 403: a pod, or one of its containers, outside of the ranges. */
export function requirePodWithinLimits(object: StoredObject, api: Api, at: ApiRequest): void {
  const containers = [...itemsOf(object.spec?.containers), ...itemsOf(object.spec?.initContainers)];
  const namespace = object.metadata.namespace;
  const ofContainers = limitsOf(api, namespace, 'Container').flatMap((limit) =>
    containers.flatMap(({ resources }) => faults(limit, jsonOf(resources))),
  );
  const pods = limitsOf(api, namespace, 'Pod');
  const whole = pods.length === 0 ? {} : { requests: sum(object, 'requests'), limits: sum(object, 'limits') };
  refuse(at, [...ofContainers, ...pods.flatMap((limit) => faults(limit, whole))]);
}

export function requireClaimWithinLimits(object: StoredObject, api: Api, at: ApiRequest): void {
  const limits = limitsOf(api, object.metadata.namespace, 'PersistentVolumeClaim');
  const { requests } = jsonOf(object.spec?.resources);
  refuse(
    at,
    limits.flatMap((limit) => faults({ ...limit, max: undefined }, { requests }).concat(overRequests(limit, requests))),
  );
}

function refuse(at: ApiRequest, found: readonly string[]): void {
  if (found.length === 0) return;
  throw refusals.forbidden(at, found.length === 1 ? String(found[0]) : `[${found.join(', ')}]`);
}

function overRequests({ max, type }: Json, requests: unknown): readonly string[] {
  return Object.entries(jsonOf(max)).flatMap(([name, most]) => {
    const request = jsonOf(requests)[name];
    const over = request !== undefined && quantity(String(request)) > quantity(String(most));
    return over ? [`maximum ${name} usage per ${type} is ${most}, but request is ${request}`] : [];
  });
}

/** Outside of one item of a LimitRange, in the words of the plugin. */
function faults({ type, min, max }: Json, { requests, limits }: Json): readonly string[] {
  const [asked, limited] = [jsonOf(requests), jsonOf(limits)];
  const below = Object.entries(jsonOf(min)).flatMap(([name, least]) => {
    const what = `minimum ${name} usage per ${type} is ${least}`;
    if (asked[name] === undefined) return [`${what}.  No request is specified`];
    if (isLess(asked[name], least)) return [`${what}, but request is ${asked[name]}`];
    return limited[name] !== undefined && isLess(limited[name], least)
      ? [`${what}, but limit is ${limited[name]}`]
      : [];
  });
  const above = Object.entries(jsonOf(max)).flatMap(([name, most]) => {
    const what = `maximum ${name} usage per ${type} is ${most}`;
    if (limited[name] === undefined) return [`${what}.  No limit is specified`];
    if (isLess(most, limited[name])) return [`${what}, but limit is ${limited[name]}`];
    return asked[name] !== undefined && isLess(most, asked[name]) ? [`${what}, but request is ${asked[name]}`] : [];
  });
  return [...below, ...above];
}

const isLess = (a: unknown, b: unknown): boolean => quantity(String(a)) < quantity(String(b));

/** What the containers of a pod have together. */
function sum({ spec }: StoredObject, part: 'requests' | 'limits'): Json {
  const each = itemsOf(spec?.containers).map(({ resources }) => jsonOf(jsonOf(resources)[part]));
  const [only] = each;
  if (each.length === 1 && only !== undefined) return only;
  return each.reduce((all: Amounts, one) => plus(all, amounts(one as Readonly<Record<string, string>>)), {});
}

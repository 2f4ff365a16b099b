import type { Json } from '../../objects/json.ts';
import type { Api, ApiRequest } from '../api.ts';
import { refusals } from '../refusals.ts';

interface Class {
  readonly name?: string;
  readonly value: number;
  readonly preemptionPolicy: unknown;
}
const preempts = 'PreemptLowerPriority';

/**
 * The admission plugin Priority (kubernetes, plugin/pkg/admission/priority): the numbers of a new pod are those of its
 * PriorityClass, of the default class if it names none, and 0 without one; a class that is not there, or other numbers,
 * are refused.
 */
export function withPriority(spec: Json, api: Api, at: ApiRequest): Json {
  const { priorityClassName: named = '' } = spec;
  const found = named === '' ? defaultClass(api) : classNamed(api, String(named));
  if (found === undefined) throw refusals.forbidden(at, `no PriorityClass with name ${named} was found`);
  const { name, value, preemptionPolicy } = found;
  const { priority = value, preemptionPolicy: wanted = preemptionPolicy } = spec;
  if (priority !== value)
    throw refusals.forbidden(
      at,
      `the integer value of priority (${priority}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`,
    );
  if (wanted !== preemptionPolicy)
    throw refusals.forbidden(
      at,
      `the string value of PreemptionPolicy (${wanted}) must not be provided in pod spec; priority admission controller computed ${preemptionPolicy} from the given PriorityClass name`,
    );
  return { ...spec, ...(name !== undefined && { priorityClassName: name }), priority, preemptionPolicy };
}

function classNamed(api: Api, name: string): Class | undefined {
  const found = api.objects.get(collection, undefined, name);
  return found === undefined ? undefined : classOf(found);
}

/** Of several default classes the one of the lowest value counts. */
function defaultClass(api: Api): Class {
  const [lowest] = api.objects
    .list(collection)
    .filter(({ globalDefault }) => globalDefault === true)
    .toSorted((a, b) => Number(a.value) - Number(b.value));
  return lowest === undefined ? { value: 0, preemptionPolicy: preempts } : classOf(lowest);
}

const collection = 'PriorityClass.scheduling.k8s.io';

function classOf({ metadata, value, preemptionPolicy }: Json): Class {
  return { name: (metadata as { readonly name: string }).name, value: Number(value ?? 0), preemptionPolicy };
}

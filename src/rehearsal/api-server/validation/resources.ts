import { isJson, type Json } from '../../objects/json.ts';
import { quantity } from '../../objects/quantities.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';

/** The errors in the resources of a container: amounts below zero, and requests above their limits. */
export function resourceCauses(resources: unknown, field: string): readonly FieldCause[] {
  if (!isJson(resources)) return [];
  const [limits, requests] = [amounts(resources.limits), amounts(resources.requests)];
  return [
    ...belowZero(limits, `${field}.limits`),
    ...belowZero(requests, `${field}.requests`),
    ...Object.entries(requests).flatMap(([name, requested]) => {
      const limit = limits[name];
      if (limit === undefined || quantity(String(requested)) <= quantity(String(limit))) return [];
      return [
        fieldCauses.invalid(`${field}.requests`, requested, `must be less than or equal to ${name} limit of ${limit}`),
      ];
    }),
  ];
}

function belowZero(amounts: Json, field: string): readonly FieldCause[] {
  return Object.entries(amounts)
    .filter(([, one]) => String(one).startsWith('-'))
    .map(([name, one]) => fieldCauses.invalid(`${field}[${name}]`, one, 'must be greater than or equal to 0'));
}

const amounts = (value: unknown): Json => (isJson(value) ? value : {});

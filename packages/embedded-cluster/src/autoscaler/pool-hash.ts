import type { NodePool } from '../kubernetes/autoscaler.ts';
import { hash64 } from '../objects/names.ts';

/**
 * The hash over `spec.template` without its requirements; when it changes the pool's nodes drift (nodepool.go, Hash).
 */
export function poolHash({ spec }: NodePool): string {
  const { requirements: _, ...hashed } = spec.template.spec;
  return String(hash64(canonical({ metadata: spec.template.metadata ?? {}, spec: hashed })));
}

/** JSON with sorted keys and without empty members, so that the order of keys in a manifest does not matter. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).sort().join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined && !isEmpty(member))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`;
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

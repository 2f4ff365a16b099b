import type { NodePool } from '../../cluster/autoscaler.ts';
import type { JsonPatchOperation } from '../../cluster/cluster.ts';
import { OperationError } from '../../host/errors.ts';
import type { Site } from '../site.ts';
import type { Action } from './action.ts';

type Disruption = NonNullable<NodePool['spec']['disruption']>;
type Field = 'budgets' | 'consolidateAfter';

export interface NodePoolFieldTarget<F extends Field> {
  readonly nodePool: string;
  readonly value: NonNullable<Disruption[F]>;
}
export interface NodePoolFieldIntent<F extends Field> extends NodePoolFieldTarget<F> {
  /** Null if the pool did not have the field. */
  readonly original: NonNullable<Disruption[F]> | null;
  /** The value that the server stored, if an admission webhook changed it. */
  readonly stored?: NonNullable<Disruption[F]> | null;
}

/**
 * Sets a field of a NodePool's `spec.disruption`, with a test of the old value in the same patch. Such fields are not
 * part of the pool's hash, so no node drifts (docs/facts/karpenter.md, "The fields of a NodePool"). The undo restores
 * the original value, unless somebody else set another value meanwhile.
 */
function nodePoolField<F extends Field>(
  name: string,
  field: F,
): Action<NodePoolFieldTarget<F>, NodePoolFieldIntent<F>> {
  return {
    name,
    prepare: async (site, target) => ({ ...target, original: await read(site, target.nodePool, field) }),
    async perform(site, intent) {
      const { nodePool, original, value } = intent;
      const pool = await write(site, nodePool, replaced(field, original, value));
      const stored = pool.spec.disruption?.[field] ?? null;
      return isSame(stored, value) ? undefined : { intent: { ...intent, stored } };
    },
    async verify(site, { nodePool, value }) {
      const now = await read(site, nodePool, field);
      return {
        id: field,
        expected: `${field} ${JSON.stringify(value)}`,
        outcome: isSame(now, value) ? 'met' : 'inconclusive',
        observed: `${field} ${JSON.stringify(now)}`,
        advice: isSame(now, value) ? '' : 'something else sets it too, such as GitOps: pause it',
      };
    },
    async undo(site, { nodePool, original, value, stored: ours = value }) {
      const pool = await site.cluster.get('NodePool', { name: nodePool });
      if (pool === undefined) return { state: 'not-needed', because: `NodePool ${nodePool} is gone` };
      const before = pool.spec.disruption?.[field] ?? null;
      if (isSame(before, original))
        return { state: 'not-needed', because: `${field} is ${JSON.stringify(before)}, as before` };
      if (!isSame(before, ours)) return { state: 'kept', because: keptBecause(field, before, original) };
      await write(site, nodePool, replaced(field, ours, original));
      const after = await read(site, nodePool, field);
      const because = `${field} is ${JSON.stringify(after)} after setting ${JSON.stringify(original)}`;
      return isSame(after, original)
        ? { state: 'undone', because: `${field} is ${JSON.stringify(after)} again` }
        : { state: 'failed', because };
    },
    subject: ({ nodePool }) => `NodePool ${nodePool}`,
    byHand: ({ nodePool, value, original, stored: ours = value }) =>
      `kubectl patch nodepool ${nodePool} --type=json -p='${JSON.stringify(replaced(field, ours, original))}'`,
  };
}

const keptBecause = (field: Field, now: unknown, original: unknown): string =>
  `somebody set ${field} to ${JSON.stringify(now)} meanwhile; before the run it was ${JSON.stringify(original)}`;

/** A JSON Patch (RFC 6902) that the server refuses as a whole if the old value has changed. */
function replaced(field: Field, from: unknown, to: unknown): readonly JsonPatchOperation[] {
  const path = `/spec/disruption/${field}`;
  const test: readonly JsonPatchOperation[] = from === null ? [] : [{ op: 'test', path, value: from }];
  return to === null ? [...test, { op: 'remove', path }] : [...test, { op: 'add', path, value: to }];
}

async function read<F extends Field>(site: Site, name: string, field: F): Promise<NonNullable<Disruption[F]> | null> {
  const pool = await site.cluster.get('NodePool', { name });
  if (pool !== undefined) return pool.spec.disruption?.[field] ?? null;
  throw new OperationError({ tried: `Reading ${field} of`, on: `NodePool ${name}`, reason: 'there is none' });
}

async function write(site: Site, name: string, value: readonly JsonPatchOperation[]): Promise<NodePool> {
  return site.cluster.patch('NodePool', { name }, { type: 'json', value });
}

/** The API returns members in the order in which they were written, so equal values have equal texts. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Replaces the whole list of the pool's disruption budgets, so that no other budget applies. */
export const setBudget = nodePoolField('set-budget', 'budgets');

/** Sets how long a node must be without pod events before the autoscaler may consolidate it. */
export const setConsolidateAfter = nodePoolField('set-consolidate-after', 'consolidateAfter');

import type { StoredObject } from '../../objects/objects.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import { notNegative } from '../strategies/validation.ts';
import { when } from './formats.ts';

const counts: Readonly<Record<string, readonly string[]>> = {
  Deployment: ['updatedReplicas', 'readyReplicas', 'availableReplicas'],
  ReplicaSet: ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
  StatefulSet: ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
};

/** The errors in the status of a workload: no count is more than `replicas` (kubernetes, pkg/apis/apps/validation). */
export function workloadStatusCauses(
  { kind, status }: StoredObject,
  before: StoredObject | undefined,
): readonly FieldCause[] {
  if (status === undefined || status === before?.status || before === undefined) return [];
  const number = (name: string): number => Number(status[name] ?? 0);
  const names = counts[kind] ?? [];
  const ofReady = kind === 'StatefulSet' ? 'status.readyReplicas' : 'readyReplicas';
  const more = (name: string, than: string, called: string) =>
    when(
      number(name) > number(than),
      fieldCauses.invalid(`status.${name}`, number(name), `cannot be greater than ${called}`),
    );
  return [
    ...['replicas', ...names].flatMap((name) => notNegative(`status.${name}`, status[name])),
    ...names.flatMap((name) => more(name, 'replicas', 'status.replicas')),
    ...more('availableReplicas', 'readyReplicas', ofReady),
  ];
}

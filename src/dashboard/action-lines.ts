import { actions } from '../validation/actions/index.ts';
import type { ActionIntended, ValidationFact } from '../validation/record/events.ts';
import { ofType } from '../validation/record/records.ts';
import type { Undo } from '../validation/record/undo.ts';

/**
 * An action of the run, with its end and its undo. Instants are epoch milliseconds, null for what has not happened yet.
 */
export interface ActionLine {
  readonly id: string;
  readonly action: string;
  readonly subject: string;
  /** Null for an action of phase 3. */
  readonly scenario: string | null;
  readonly begunAt: number;
  readonly doneAt: number | null;
  /** Why it failed; null if it did not. */
  readonly failed: string | null;
  /** False for an action without an undo, such as the end of an instance. */
  readonly isReversible: boolean;
  /** Every attempt to undo it, in order: after one that failed there may be one of `recover`. */
  readonly undos: readonly { readonly at: number; readonly state: Undo['state'] }[];
}

/** Every action of the journal, in order. */
export function actionLines(facts: readonly ValidationFact[]): readonly ActionLine[] {
  const performed = new Map(ofType(facts, 'action-performed').map((fact) => [fact.id, fact]));
  const failed = new Map(ofType(facts, 'action-failed').map((fact) => [fact.id, fact]));
  const undone = Map.groupBy(ofType(facts, 'action-undone'), ({ id }) => id);
  return (ofType(facts, 'action-intended') as readonly ActionIntended[]).map(
    ({ id, action, subject, scenario, at }) => ({
      id,
      action,
      subject,
      scenario,
      begunAt: Date.parse(at),
      doneAt: instant(performed.get(id) ?? failed.get(id)),
      failed: failed.get(id)?.because ?? null,
      isReversible: isReversible(action),
      undos: (undone.get(id) ?? []).map((fact) => ({ at: Date.parse(fact.at), state: fact.state })),
    }),
  );
}

const instant = (fact: { readonly at: string } | undefined): number | null =>
  fact === undefined ? null : Date.parse(fact.at);

/** The actions that a person has to permit are those without an undo. */
const isReversible = (action: string): boolean =>
  (actions as Readonly<Record<string, { readonly permission?: unknown }>>)[action]?.permission === undefined;

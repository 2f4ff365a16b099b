import { actions } from '../validation/actions/index.ts';
import type { ActionIntended, ValidationFact } from '../validation/record/events.ts';
import { ofType } from '../validation/record/records.ts';
import type { Undo } from '../validation/record/undo.ts';

/** One action and what became of it. Instants are epoch milliseconds, null while it has not come to that. */
export interface Deed {
  readonly id: string;
  readonly action: string;
  readonly subject: string;
  /** Null for what prepares the run. */
  readonly scenario: string | null;
  readonly begunAt: number;
  readonly doneAt: number | null;
  /** Why it could not be made, as the fact has it. */
  readonly failed: string | null;
  /** What is not, as the end of an instance, is not waited for. */
  readonly isReversible: boolean;
  /** Each time that it was to be put back, in order: one that failed may be followed by that of `recover`. */
  readonly undos: readonly { readonly at: number; readonly state: Undo['state'] }[];
}

/** Pure. Every action of the journal, in order. */
export function deeds(facts: readonly ValidationFact[]): readonly Deed[] {
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

/** What nothing undoes is what a person has to allow. */
const isReversible = (action: string): boolean =>
  (actions as Readonly<Record<string, { readonly permission?: unknown }>>)[action]?.permission === undefined;

import type { Undo } from '../validation/action.ts';
import type { ActionIntended, ValidationFact } from '../validation/events.ts';
import { ofType } from '../validation/records.ts';

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
  readonly undoneAt: number | null;
  readonly undo: Undo['state'] | null;
}

/** Pure. Every action of the journal, in order. */
export function deeds(facts: readonly ValidationFact[]): readonly Deed[] {
  const performed = new Map(ofType(facts, 'action-performed').map((fact) => [fact.id, fact]));
  const failed = new Map(ofType(facts, 'action-failed').map((fact) => [fact.id, fact]));
  const undone = new Map(ofType(facts, 'action-undone').map((fact) => [fact.id, fact]));
  return (ofType(facts, 'action-intended') as readonly ActionIntended[]).map(
    ({ id, action, subject, scenario, at }) => ({
      id,
      action,
      subject,
      scenario,
      begunAt: Date.parse(at),
      doneAt: instant(performed.get(id) ?? failed.get(id)),
      failed: failed.get(id)?.because ?? null,
      undoneAt: instant(undone.get(id)),
      undo: undone.get(id)?.state ?? null,
    }),
  );
}

const instant = (fact: { readonly at: string } | undefined): number | null =>
  fact === undefined ? null : Date.parse(fact.at);

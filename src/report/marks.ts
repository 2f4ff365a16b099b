import type { ValidationFact } from '../validation/record/events.ts';
import { ofType } from '../validation/record/records.ts';
import type { Span } from './strip.ts';

/** An event of a scenario that a picture marks. Epoch milliseconds. */
export interface Mark {
  readonly at: number;
  readonly kind: 'action' | 'settled' | 'undo';
  readonly words: string;
}

/** The actions in the span, when the cluster settled, and the undos, in order. */
export function marksIn(facts: readonly ValidationFact[], { from, to }: Span): readonly Mark[] {
  const names = new Map(
    ofType(facts, 'action-intended').map(({ id, action, subject }) => [id, `${action} of ${subject}`]),
  );
  const begun = new Map(ofType(facts, 'action-intended').map(({ id, at }) => [id, Date.parse(at)]));
  const marks = facts.flatMap((fact): readonly Mark[] => {
    const at = Date.parse(fact.at);
    const isImmediate = fact.type === 'action-performed' && at - (begun.get(fact.id) ?? 0) < immediateMilliseconds;
    return at < from || at > to || isImmediate ? [] : marksOf(fact, at, names);
  });
  return marks.slice(0, mostMarks);
}

/** The shortest cell of a picture: an action that ends sooner after its start has no mark of its own for the end. */
const immediateMilliseconds = 1000;

/** A scenario has a few actions with a start, an end and an undo each; more marks cannot be distinguished. */
const mostMarks = 24;

function marksOf(fact: ValidationFact, at: number, names: ReadonlyMap<string, string>): readonly Mark[] {
  switch (fact.type) {
    case 'action-intended':
      return [{ at, kind: 'action', words: names.get(fact.id) ?? fact.action }];
    case 'action-performed':
      return [{ at, kind: 'action', words: `${names.get(fact.id) ?? fact.id}: done` }];
    case 'action-failed':
      return [{ at, kind: 'action', words: `${names.get(fact.id) ?? fact.id} failed: ${fact.because}` }];
    case 'scenario-settled':
      return [{ at, kind: 'settled', words: 'the cluster settled' }];
    case 'action-undone':
      return [{ at, kind: 'undo', words: `${names.get(fact.id) ?? fact.id}: ${fact.state.replace('-', ' ')}` }];
    default:
      return [];
  }
}

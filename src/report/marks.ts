import type { ValidationFact } from '../validation/record/events.ts';
import { ofType } from '../validation/record/records.ts';
import type { Span } from './strip.ts';

/** A moment of a scenario that a picture points at. Epoch milliseconds. */
export interface Mark {
  readonly at: number;
  readonly kind: 'action' | 'settled' | 'undo';
  readonly words: string;
}

/** Pure. What was done in the span, when the cluster had come to rest, and what was put back; in order. */
export function marksIn(facts: readonly ValidationFact[], { from, to }: Span): readonly Mark[] {
  const names = new Map(
    ofType(facts, 'action-intended').map(({ id, action, subject }) => [id, `${action} of ${subject}`]),
  );
  const begun = new Map(ofType(facts, 'action-intended').map(({ id, at }) => [id, Date.parse(at)]));
  const marks = facts.flatMap((fact): readonly Mark[] => {
    const at = Date.parse(fact.at);
    const atOnce = fact.type === 'action-performed' && at - (begun.get(fact.id) ?? 0) < onceMilliseconds;
    return at < from || at > to || atOnce ? [] : marksOf(fact, at, names);
  });
  return marks.slice(0, mostMarks);
}

/** A cell of a picture: an end nearer to its beginning is no moment of its own. */
const onceMilliseconds = 1000;

/** A scenario has a few actions, each begun, done and undone; more than this cannot be told apart. */
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
      return [{ at, kind: 'settled', words: 'the cluster came to rest' }];
    case 'action-undone':
      return [{ at, kind: 'undo', words: `${names.get(fact.id) ?? fact.id}: ${fact.state.replace('-', ' ')}` }];
    default:
      return [];
  }
}

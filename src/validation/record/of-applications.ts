import type { Journal, Untimed } from '../../journal/journal.ts';
import { applicationsOf, namesOf } from '../applications.ts';
import type { ClusterChanged, ValidationFact } from './events.ts';
import { type Dated, dated } from './history.ts';

type Facts = Journal<ValidationFact>;

/** The journal for what concerns these applications alone; that itself without names, as in a run of one. */
export function journalOf(journal: Facts, names: readonly string[]): Facts {
  if (names.length === 0) return journal;
  const named = (fact: Untimed<ValidationFact>) => ({ ...fact, of: names }) as Untimed<ValidationFact>;
  return {
    ...journal,
    record: (fact) => journal.record(named(fact)),
    intend: (fact) => journal.intend(named(fact)),
  };
}

/** What concerns each application of a run, in their order: its facts, as if it had been the only one. */
export function factsByApplication(facts: readonly ValidationFact[]): readonly (readonly ValidationFact[])[] {
  const started = facts.find((fact) => fact.type === 'run-started');
  if (started === undefined) return [facts];
  const all = applicationsOf(started.settings);
  if (all.length === 1) return [facts];
  const names = namesOf(all);
  return all.map((settings, index) =>
    facts
      .filter(({ of }) => of === undefined || of.includes(names[index] ?? ''))
      .map((fact) => (fact.type === 'run-started' ? { ...fact, settings } : fact)),
  );
}

/**
 * The pods of the other applications of a run: what `whole` has of pods, and these facts have not. Two namespaces may
 * have pods of one name.
 */
export function podsBeside(facts: readonly ValidationFact[], whole: readonly ValidationFact[]): readonly Dated[] {
  const own = new Set(facts);
  return whole.flatMap((fact) =>
    fact.type === 'cluster-changed' && fact.kind === 'Pod' && !own.has(fact)
      ? [dated({ ...(fact as ClusterChanged), name: `${fact.of?.join(' ')} ${fact.name}` } as ClusterChanged)]
      : [],
  );
}

import type { Journal } from '../../journal/journal.ts';
import { type Redactor, redacted } from '../../notification/redactor.ts';
import type { DeploymentFact, RunFactOf } from '../record/events.ts';

/** The journal of a checkout as one run writes it. */
export interface RunJournal {
  readonly record: (fact: RunFactOf) => void;
  /** Returns when the fact is on disk; rejects when it cannot be, and then what it announces must not be done. */
  readonly intend: (fact: RunFactOf) => Promise<void>;
  /** Returns when what was recorded would survive the end of this process. */
  readonly flush: () => Promise<void>;
}

/** Writes each fact with the run's id and without secrets; as long as there is no open journal, facts are dropped. */
export function runJournal(
  run: string,
  redactor: Redactor,
  open: () => Journal<DeploymentFact> | undefined,
): RunJournal {
  const stamped = (fact: RunFactOf) => ({ ...redacted(fact, redactor.redact), run });
  return {
    record: (fact) => open()?.record(stamped(fact)),
    intend: async (fact) => open()?.intend(stamped(fact)),
    flush: async () => open()?.flush(),
  };
}

import type { Expectation } from '../finding.ts';
import type { Performed, Undo } from '../record/undo.ts';
import type { Site } from '../site.ts';

/**
 * Something that is done to the cluster, with the way back. Prepared, its intent made durable, performed, verified; `undo`
 * is the only way back and is taken alike after success, failure, a signal, and by `recover` in a new process.
 */
export interface Action<Target, Intent> {
  readonly name: string;
  /** Reads what will be replaced. The intent is plain JSON and holds all that the undo needs. */
  readonly prepare: (site: Site, target: Target) => Promise<Intent>;
  readonly perform: (site: Site, intent: Intent, signal: AbortSignal) => Promise<Performed<Intent> | undefined>;
  /** Looks whether the deed had its effect. */
  readonly verify: (site: Site, intent: Intent) => Promise<Expectation>;
  /** Idempotent, and verified by reading back: three-way per field between ours, the original and what is there now. */
  readonly undo: (site: Site, intent: Intent) => Promise<Undo>;
  /** The node that the deed takes away: what happens to it afterwards is ours (criterion 6). */
  readonly node?: (intent: Intent) => string;
  /** What was acted on, for people: `Deployment default/nginx-test`. */
  readonly subject: (intent: Intent) => string;
  /** Only for what nothing undoes: what a person types to allow it, such as the id of the instance, and who is hit by it. */
  readonly permission?: (intent: Intent) => { readonly typed: string; readonly because: string };
  /** What a person types to undo it by hand. */
  readonly byHand: (intent: Intent) => string;
}

/** An action that was begun: what its undo needs, and what `recover` reads back from the journal. */
export interface Begun {
  readonly id: string;
  readonly action: string;
  /** What was acted on. */
  readonly subject: string;
  /** As it is known by now: the deed may have told more. */
  intent: unknown;
  /** Its deed got no answer: the server may make it yet. */
  unanswered?: boolean;
}

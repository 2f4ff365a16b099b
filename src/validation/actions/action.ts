import type { NodeClaim } from '../../cluster/autoscaler.ts';
import type { Expectation } from '../finding.ts';
import type { Performed, Undo } from '../record/undo.ts';
import type { Site } from '../site.ts';

/**
 * A change of the cluster and its undo. It is prepared, its intent made durable, performed and verified; `undo` is the
 * same after success, failure or a signal, and for `recover` in a new process.
 */
export interface Action<Target, Intent> {
  readonly name: string;
  /** Reads what will be replaced. The intent is plain JSON and has all that the undo needs. */
  readonly prepare: (site: Site, target: Target) => Promise<Intent>;
  readonly perform: (site: Site, intent: Intent, signal: AbortSignal) => Promise<Performed<Intent> | undefined>;
  /** The intent as it is written down, where it holds more than the undo needs, such as a Secret. */
  readonly recorded?: (intent: Intent) => unknown;
  /** Reads whether the action had its effect. */
  readonly verify: (site: Site, intent: Intent) => Promise<Expectation>;
  /**
   * Idempotent, and verified by reading back. Compares, field by field, the run's value, the original and the value
   * now, so that a change of somebody else is kept.
   */
  readonly undo: (site: Site, intent: Intent) => Promise<Undo>;
  /** The nodes that it takes away, as planned: an application without a ready pod on one of them is not reached. */
  readonly takes?: (target: Target, claims: readonly NodeClaim[]) => readonly string[];
  /** The nodes that it takes away: their disruption and their replacement are effects of the run (criterion 6). */
  readonly nodes?: (intent: Intent) => readonly string[];
  /** The reasons of the autoscaler for which it replaces those nodes then; `instance-ended`: whatever it gives. */
  readonly replacedFor?: readonly string[] | 'instance-ended';
  /** It evicts the pods of those nodes, which a budget may refuse. */
  readonly evicts?: true;
  /**
   * What it made stays at the end of a run, as the specification leaves it, unless `--cleanup` is given; its undo
   * deletes the object and compares no value.
   */
  readonly staysUnlessCleanup?: true;
  /** What was acted on, for people: `Deployment default/nginx-test`. */
  readonly subject: (intent: Intent) => string;
  /**
   * Only of an irreversible action: what a person types to allow it, such as the id of the instance, and who else is
   * affected.
   */
  readonly permission?: (intent: Intent) => { readonly typed: string; readonly because: string };
  /** The command that a person types to undo it by hand. */
  readonly byHand: (intent: Intent) => string;
}

/** An action whose intent is on disk: what its undo needs, and what `recover` reads back from the journal. */
export interface Begun {
  readonly id: string;
  readonly action: string;
  /** What was acted on. */
  readonly subject: string;
  /** As far as it is known: performing the action may add to it. */
  intent: unknown;
  /** Its request got no response, so the server may still carry it out. */
  unanswered?: boolean;
}

import type { LoadRecorded } from './load-recorded.ts';

/**
 * `kept`: someone else had changed the object, or it is meant to stay. `not-needed`: the object was already as before,
 * or is gone.
 */
export interface Undo {
  readonly state: 'undone' | 'kept' | 'not-needed' | 'failed' | 'irreversible';
  readonly because: string;
}

/** What an action returned, for the journal. */
export interface Performed<Intent = unknown> {
  readonly load?: LoadRecorded;
  /**
   * The intent, completed with what only the response had, such as the uid of a created object. On disk before anything
   * is undone.
   */
  readonly intent?: Intent;
}

import type { LoadResult } from '../../host/host.ts';
/** `kept`: someone else's change was there and stays, or it is meant to stay. `not-needed`: it was already as before, or is gone. */
export interface Undo {
  readonly state: 'undone' | 'kept' | 'not-needed' | 'failed' | 'irreversible';
  readonly because: string;
}

/** What a deed brought besides its effect on the cluster; the journal keeps it. */
export interface Performed<Intent = unknown> {
  readonly load?: LoadResult;
  /** The intent with what the deed alone could tell, such as the uid of what it made: on disk before anything is undone. */
  readonly intent?: Intent;
}

import type { RunRecord } from '../../deployment/record/history.ts';

/** A commit that was brought to visitors, or was meant to be. Instants are epoch milliseconds. */
export interface Release {
  readonly commit: string;
  /** The run that brought it. */
  readonly run: string;
  readonly kind: RunRecord['kind'];
  readonly at: number;
  /** `live` now, `replaced` by a later one, or `bad`: it was put back. */
  readonly state: 'live' | 'replaced' | 'bad';
  /** Until when it was live; null for one that is, and for one that never was. */
  readonly until: number | null;
  readonly because: string | null;
}

/** The commits that came, the last one first: how long each stayed, and why one did not. */
export function releaseHistory(runs: readonly RunRecord[]): readonly Release[] {
  const found: Release[] = [];
  for (const run of runs) {
    const release = releaseOf(run);
    if (release === undefined) continue;
    if (release.state === 'live') endLive(found, release.at);
    found.push(release);
  }
  return found.toReversed();
}

function endLive(found: Release[], at: number): void {
  const live = found.findIndex(({ state }) => state === 'live');
  const before = found[live];
  if (before !== undefined) found[live] = { ...before, state: 'replaced', until: at };
}

/** Undefined for a run that brought no commit. */
function releaseOf({ id, kind, startedAt, document, verified, quarantined }: RunRecord): Release | undefined {
  const commit = document?.newCommit ?? verified ?? null;
  if (commit === null || document?.state === 'unchanged' || document?.state === 'aborted') return undefined;
  const isStaying = document === undefined || document.state === 'verified' || document.state === 'updated';
  return {
    commit,
    run: id,
    kind,
    at: Date.parse(document?.finishedAt ?? startedAt),
    state: isStaying ? 'live' : 'bad',
    until: null,
    because: isStaying ? null : (quarantined?.because ?? document.because),
  };
}

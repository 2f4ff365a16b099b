import type { RunRecord } from '../../deployment/record/history.ts';
import { performerText } from '../../deployment/record/performer.ts';

/**
 * A deploy, rollback, repair or backup in one line. Instants are epoch milliseconds; what is not known yet, or was not
 * there, is null.
 */
export interface DeployLine {
  readonly id: string;
  readonly kind: RunRecord['kind'];
  readonly branch: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly startedAt: number;
  readonly finishedAt: number | null;
  /** The state that it ended in; `running`, or `killed` where it has no end and nothing runs any more. */
  readonly state: string;
  readonly exitCode: number | null;
  readonly because: string | null;
  readonly by: string | null;
  readonly message: string | null;
}

/** `liveId`: the run whose process holds the lock. */
export function deployLine(run: RunRecord, liveId: string | undefined): DeployLine {
  const { id, kind, branch, document, reset, by, message } = run;
  return {
    id,
    kind,
    branch,
    from: document?.previousCommit ?? reset?.from ?? null,
    to: document?.newCommit ?? reset?.to ?? null,
    startedAt: Date.parse(run.startedAt),
    finishedAt: document === undefined ? null : Date.parse(document.finishedAt),
    state: document?.state ?? unfinished(run, liveId),
    exitCode: document?.exitCode ?? null,
    because: document?.because ?? null,
    by: by === undefined ? null : performerText(by),
    message: message ?? null,
  };
}

function unfinished({ id, verified }: RunRecord, liveId: string | undefined): string {
  if (id === liveId) return 'running';
  return verified === undefined ? 'killed' : 'verified';
}

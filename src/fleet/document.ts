import type { DeployDocument } from '../deployment/record/document.ts';

/** `deploy --json` and `rollback --json` of many servers (docs/contract.md, "deploy --json of many servers"). */
export interface FleetDocument {
  readonly schemaVersion: 1;
  readonly hosts: readonly ServerDocument[];
  readonly exitCode: number;
}

/** One server: the document of its deploy, and what was done around it. */
export interface ServerDocument extends Omit<DeployDocument, Absent> {
  readonly host: string;
  readonly id: string | null;
  /** `not-begun`: nothing was done there. `lost`: nobody knows how it ended; `status --hosts` asks again. */
  readonly state: DeployDocument['state'] | 'not-begun' | 'lost';
  /** Null where nothing was done. */
  readonly exitCode: number | null;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  /** Counted from 1; null where it was not begun. */
  readonly batch: number | null;
  readonly drain: CommandDocument | null;
  readonly restore: CommandDocument | null;
  /** The rollback of `--all-or-nothing`; null where none was made. */
  readonly undone: ServerEnd | null;
}
type Absent = 'id' | 'state' | 'exitCode' | 'startedAt' | 'finishedAt';

/** How a command of a server ended, with as much of its document as is known. */
export type ServerEnd = Omit<ServerDocument, 'host' | 'batch' | 'drain' | 'restore' | 'undone'>;

export interface CommandDocument {
  readonly exitCode: number;
  readonly seconds: number;
}

/** An end without a document of the server. */
export function endWithout(
  state: 'aborted' | 'rollback-failed' | 'not-begun' | 'lost',
  exitCode: number | null,
  because: string | null,
): ServerEnd {
  return {
    schemaVersion: 1,
    id: null,
    state,
    previousCommit: null,
    newCommit: null,
    httpStatus: null,
    exitCode,
    because,
    failedStep: null,
    checks: [],
    startedAt: null,
    finishedAt: null,
    steps: [],
    probe: null,
    notifications: [],
    by: null,
    message: null,
  };
}

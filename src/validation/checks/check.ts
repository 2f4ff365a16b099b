import { ApiError } from '../../cluster/cluster.ts';
import { OperationError } from '../../host/errors.ts';
import { reachedNobody } from '../../host/system-error.ts';
import type { Finding } from '../finding.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { Settings } from '../settings.ts';
import type { Site } from '../site.ts';

/** A look at one thing before anything is touched. Severity `error` means that it is not as it must be. */
export interface Check {
  readonly name: string;
  /** A mandatory check that is not met stops the run (4.1, phase 1). */
  readonly mandatory: boolean;
  readonly look: (about: Checked) => Promise<Finding>;
}

/** What a run is going to be, as far as a check has to know. */
export interface Checked {
  readonly site: Site;
  readonly settings: Settings;
  readonly scenarios: readonly Scenario[];
  /** Whether the run removes what it applied. */
  readonly cleanup: boolean;
  /** By this name the run holds its lease. */
  readonly holder: string;
}

/** What was looked at, and how it must be. */
export type Looked = Pick<Finding, 'id' | 'subject' | 'expected'>;

/** It is as it must be. */
export function asExpected(looked: Looked, observed: string): Finding {
  return { ...looked, severity: 'info', observed, advice: '' };
}

/** It is not, and what to do about it. */
export function notAsExpected(
  looked: Looked,
  observed: string,
  advice: string,
  severity: 'error' | 'warning' = 'error',
): Finding {
  return { ...looked, severity, observed, advice };
}

/** A check that could not look has found nothing good. */
export async function lookSafely({ name, look }: Check, about: Checked): Promise<Finding> {
  try {
    return await look(about);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    if (reachedNobody(error)) return nobodyThere(error);
    const looked = { id: name, subject: error.failure.on, expected: `${error.failure.tried} to be answered` };
    return notAsExpected(looked, error.failure.reason, error.failure.next ?? adviceOn(error));
  }
}

/** The id of what is found of an API server that nobody could be reached at. */
export const unreached = 'api-server';

function nobodyThere({ failure: { on, reason, next = '' } }: OperationError): Finding {
  const server = URL.canParse(on) ? new URL(on).origin : on;
  return notAsExpected({ id: unreached, subject: `API server ${server}`, expected: 'it answers' }, reason, next);
}

const adviceOn = (error: OperationError): string =>
  error instanceof ApiError && error.status === 403
    ? 'see holdfast rbac for what it has to read'
    : 'ask again when it answers';

import { ApiError } from '../../cluster/cluster.ts';
import { OperationError } from '../../host/errors.ts';
import { reachedNobody } from '../../host/system-error.ts';
import type { CheckFinding, Finding } from '../finding.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { Settings } from '../settings.ts';
import type { Site } from '../site.ts';

/** Looks at one thing before the run acts, and writes nothing. Severity `error` means that it is not as expected. */
export interface Check {
  readonly name: string;
  /** A mandatory check that is not met stops the run (4.1, phase 1). */
  readonly mandatory: boolean;
  /** It looks at Karpenter, which not every cluster has. */
  readonly ofKarpenter?: true;
  /** It looks at the HTTPRoute that replaces an Ingress. */
  readonly ofRoute?: true;
  /** It judges what the run replaces by its own where it applies the objects. */
  readonly ofOwner?: true;
  readonly look: (run: CheckedRun) => Promise<CheckFinding>;
}

/** What a check has to know of the run that is about to start. */
export interface CheckedRun {
  readonly site: Site;
  readonly settings: Settings;
  readonly scenarios: readonly Scenario[];
  /** Whether the objects that the run applied are removed at its end. */
  readonly cleanup: boolean;
  /** The name under which the run holds its lease. */
  readonly holder: string;
}

/** What is looked at, and what is expected of it: a finding that is not made yet. */
export type Assertion = Pick<Finding, 'id' | 'subject' | 'object' | 'expected'>;

/** The finding of an assertion that holds. */
export function asExpected(assertion: Assertion, observed: string): Finding {
  return { ...assertion, severity: 'info', observed, advice: '' };
}

/** The finding of an assertion that does not hold, with what to do about it. */
export function notAsExpected(
  assertion: Assertion,
  observed: string,
  advice: string,
  severity: 'error' | 'warning' = 'error',
): Finding {
  return { ...assertion, severity, observed, advice };
}

/** Makes a check. An `OperationError` becomes a finding of severity `error`; every other error is thrown. */
export async function runCheck({ name, look }: Check, run: CheckedRun): Promise<CheckFinding> {
  try {
    return await look(run);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    if (reachedNobody(error)) return serverUnreachable(error);
    const assertion = { id: name, subject: error.failure.on, expected: `${error.failure.tried} to be answered` };
    return notAsExpected(assertion, error.failure.reason, error.failure.next ?? adviceOn(error));
  }
}

/** The id of the finding that the API server cannot be reached. */
export const unreachableServer = 'api-server';

function serverUnreachable({ failure: { on, reason, next = '' } }: OperationError): Finding {
  const server = URL.canParse(on) ? new URL(on).origin : on;
  return notAsExpected(
    { id: unreachableServer, subject: `API server ${server}`, expected: 'it answers' },
    reason,
    next,
  );
}

const adviceOn = (error: OperationError): string =>
  error instanceof ApiError && error.status === 403
    ? 'see holdfast rbac for what it has to read'
    : 'ask again when it answers';

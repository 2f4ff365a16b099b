import type { Cloud } from '../../cloud/cloud.ts';
import { OperationError } from '../../host/errors.ts';
import type { CloudPart } from '../scenarios/scenario.ts';
import type { Settings } from '../settings.ts';
import { asExpected, type Check, type CheckedRun, notAsExpected } from './check.ts';

/** What was observed in the cloud; with advice if it is not as expected. */
export interface CloudObservation {
  readonly observed: string;
  readonly advice?: string;
}
interface CloudAssertion {
  readonly name: string;
  /** The check is made only if a scenario needs this part of the cloud. */
  readonly needs: CloudPart;
  readonly expected: string;
  readonly subject: (settings: Settings) => string;
  readonly look: (run: CheckedRun, cloud: Cloud) => Promise<CloudObservation>;
}

/**
 * A check of what one scenario needs of the cloud. The other scenarios can run without it, so a miss is a warning that
 * names the scenario.
 */
export function cloudCheck({ name, needs, expected, subject, look }: CloudAssertion): Check {
  return {
    name,
    mandatory: false,
    async look(run) {
      const assertion = { id: name, subject: subject(run.settings), expected };
      const scenario = run.scenarios.find((one) => one.needs === needs);
      if (scenario === undefined) return asExpected(assertion, 'not asked: no scenario of this run needs it');
      const { cloud } = run.site;
      const { observed, advice } = await (cloud === undefined ? noAccess : look(run, cloud).catch(trouble));
      if (advice === undefined) return asExpected(assertion, observed);
      return notAsExpected(assertion, observed, `${advice}; else ${scenario.name} will be inconclusive`, 'warning');
    },
  };
}

const whoAmI = 'see whether aws sts get-caller-identity works here, and what holdfast rbac says of the cloud';
const noAccess: CloudObservation = { observed: 'there is no access to the cloud', advice: whoAmI };

function trouble(error: unknown): CloudObservation {
  if (!(error instanceof OperationError)) throw error;
  const { tried, on, reason, next = whoAmI } = error.failure;
  return { observed: `${tried} ${on}: ${reason}`, advice: next };
}

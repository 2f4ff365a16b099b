import type { Cloud } from '../../cloud/cloud.ts';
import { OperationError } from '../../host/errors.ts';
import type { CloudPart } from '../scenarios/scenario.ts';
import type { Settings } from '../settings.ts';
import { asExpected, type Check, type CheckedRun, notAsExpected } from './check.ts';

/** What a look at the cloud gave; advice where it is not as it must be. */
export interface CloudLook {
  readonly observed: string;
  readonly advice?: string;
}
interface CloudQuestion {
  readonly name: string;
  /** Without a scenario that needs it nothing is asked. */
  readonly needs: CloudPart;
  readonly expected: string;
  readonly subject: (settings: Settings) => string;
  readonly look: (run: CheckedRun, cloud: Cloud) => Promise<CloudLook>;
}

/** A check of what one scenario needs of the cloud. The others can run without it, so what is not as it must be is a warning that names the one. */
export function cloudCheck({ name, needs, expected, subject, look }: CloudQuestion): Check {
  return {
    name,
    mandatory: false,
    async look(run) {
      const assertion = { id: name, subject: subject(run.settings), expected };
      const scenario = run.scenarios.find((one) => one.needs === needs);
      if (scenario === undefined) return asExpected(assertion, 'not asked: no scenario that needs it is to be made');
      const { cloud } = run.site;
      const { observed, advice } = await (cloud === undefined ? noAccess : look(run, cloud).catch(trouble));
      if (advice === undefined) return asExpected(assertion, observed);
      return notAsExpected(assertion, observed, `${advice}; else ${scenario.name} will be inconclusive`, 'warning');
    },
  };
}

const whoAmI = 'see whether aws sts get-caller-identity works here, and what holdfast rbac says of the cloud';
const noAccess: CloudLook = { observed: 'there is no access to the cloud', advice: whoAmI };

function trouble(error: unknown): CloudLook {
  if (!(error instanceof OperationError)) throw error;
  const { tried, on, reason, next = whoAmI } = error.failure;
  return { observed: `${tried} ${on}: ${reason}`, advice: next };
}

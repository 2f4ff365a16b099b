import { probeFailure } from '../caches/run-steps.ts';
import { statusText } from '../log/sentence.ts';
import type { Health } from '../record/health.ts';
import { isHealthy } from '../record/health.ts';
import type { DeployEvent, StepFailure } from '../record/states.ts';
import { environmentTrouble } from '../run/environment-file.ts';
import type { Run } from '../run/run.ts';
import { applicationIn } from '../settings/subfolder.ts';
import { maintenanceFile } from '../verify/baseline.ts';

/** What has failed at the new commit, and what after the return to the commit before. */
export interface Failures {
  /** The event that began the way back. */
  readonly first: DeployEvent | undefined;
  readonly steps: readonly StepFailure[];
  /** The check with the caches that the way back has built. */
  readonly health: DeployEvent;
}

/**
 * Why it is not the new commit's fault, where `commit` has failed in the same way; undefined where it is. `there` is
 * the run in what visitors get now.
 */
export async function causeAround(run: Run, there: Run, found: Failures, commit: string): Promise<string | undefined> {
  const { first, steps, health } = found;
  if (first?.type === 'step-failed') return ofStep(run, there, first, steps, commit);
  if (!isCheck(first) || !isCheck(health) || !isSameIllness(first, health)) return undefined;
  const said = health.doubt ?? health.reason;
  const like = `${statusText(health.status)}${said === undefined ? '' : `: ${said}`}`;
  return (
    (await environmentTrouble(run)) ??
    (await maintenanceSentence(there)) ??
    `the health check fails at ${commit} in the same way (${like})`
  );
}

type Check = DeployEvent & Health;

function isCheck(event: DeployEvent | undefined): event is Check {
  return event?.type === 'health-checked' || event?.type === 'health-checked-before';
}

/** Whether two commits fail their checks alike. Of a reason only one of them may know. */
export function isSameIllness(one: Health, other: Health): boolean {
  if (isHealthy(one) || isHealthy(other) || one.unasked || other.unasked) return false;
  const [first, second] = [one.doubt ?? one.reason, other.doubt ?? other.reason].map(withoutPlace);
  return one.status === other.status && (first === undefined || second === undefined || first === second);
}

/** Without the file and the line, which may have moved between the two commits. */
function withoutPlace(reason: string | undefined): string | undefined {
  return reason?.replace(/ (?:at|in) \S+?(?::| on line )\d+$/, '');
}

async function maintenanceSentence(there: Run): Promise<string | undefined> {
  const file = await maintenanceFile(there);
  return file === undefined ? undefined : `the application is in maintenance mode (${file})`;
}

async function ofStep(
  run: Run,
  there: Run,
  failed: StepFailure,
  failures: readonly StepFailure[],
  commit: string,
): Promise<string | undefined> {
  if (failures.some((failure) => isSame(failure, failed)))
    return (
      (await environmentTrouble(run)) ?? `step ${failed.step} fails at ${commit} in the same way (${failed.because})`
    );
  const said = await saidByProbe(there, failed);
  if (said !== undefined) return `what step ${failed.step} needs is away at ${commit} too (${said})`;
  const hasArtisan =
    (await there.host.files.stat(`${applicationIn(there.checkout.directory, run.settings)}/artisan`)) !== undefined;
  if (hasArtisan || failed.lacks !== 'artisan') return undefined;
  return `${commit} has no artisan either: write preset: none under deployment, or use --preset none`;
}

/** A step that only deploys run is not run again after the return. */
async function saidByProbe(there: Run, failed: StepFailure): Promise<string | undefined> {
  const { before, after } = there.settings.steps;
  const step = [...before, ...after].find(({ name }) => name === failed.step);
  const said = step === undefined ? undefined : await probeFailure(there, step);
  return said !== undefined && withoutPlace(said) === withoutPlace(failed.reason) ? said : undefined;
}

/** Of the caches the way back builds some steps fewer: what the commands say then tells more than which one failed. */
function isSame(one: StepFailure, other: StepFailure): boolean {
  const says = one.reason !== undefined && withoutPlace(one.reason) === withoutPlace(other.reason);
  return withoutPlace(one.because) === withoutPlace(other.because) && (one.step === other.step || says);
}

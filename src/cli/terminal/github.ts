import { OperationError } from '../../host/errors.ts';
import type { Host } from '../../host/host.ts';
import { sayMistakes } from '../command/say.ts';

interface Ci {
  readonly host: Pick<Host, 'files' | 'talk'>;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * In GitHub Actions: writes the annotations, and appends the summary to the page of the step (GitHub, "Workflow
 * commands for GitHub Actions", "Adding a job summary"). A summary that cannot be written is said, and changes nothing
 * else.
 */
export async function tellGithub(
  { host, environment }: Ci,
  annotations: readonly string[],
  summary: () => string,
): Promise<void> {
  if (environment.GITHUB_ACTIONS !== 'true') return;
  for (const line of annotations) host.talk.write(`${line}\n`);
  const path = environment.GITHUB_STEP_SUMMARY ?? '';
  if (path === '') return;
  try {
    const appender = await host.files.append(path);
    await appender.write(`${summary()}\n`);
    await appender.close();
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    sayMistakes(host.talk, [error.message]);
  }
}

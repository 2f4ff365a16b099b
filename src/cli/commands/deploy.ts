import { deploy as deployNow } from '../../deployment/deploy.ts';
import { withoutGuards } from '../../deployment/git/git.ts';
import { plan } from '../../deployment/plan.ts';
import { planInWords } from '../../deployment/plan-in-words.ts';
import type { DeployDocument } from '../../deployment/record/document.ts';
import { refusals } from '../../deployment/refusals.ts';
import { commitsAhead } from '../../deployment/releases/commits-ahead.ts';
import type { DeploymentSettings } from '../../deployment/settings/settings.ts';
import type { Output } from '../../host/host.ts';
import { secretsOf } from '../../notification/notifiers.ts';
import { createRedactor } from '../../notification/redactor.ts';
import type { Perform } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { fitted } from '../command/hanging-indent.ts';
import { showDeploy } from '../runs/deploy-progress.ts';
import { readDeployment, talkative } from '../settings/read-deployment.ts';
import { runIdIn } from '../settings/run-id.ts';
import { isForServers, onServers, refuseServerOptions } from './on-servers.ts';

/** `deploy`: section 4.3 of the specification, on this machine or on servers. */
export const deploy: Perform = async (context, given) => {
  refuseServerOptions(given);
  if (isForServers(given)) return onServers(context, given, { command: 'deploy', words: [] });
  const settings = { ...(await readDeployment(context, given)), ...runIdIn(given) };
  if (given.options.dryRun === true) return dryRun(context, settings);
  const quiet = { ...context, host: talkative(context) };
  const document = await showDeploy(quiet, settings, 'deploy', (host, watch) => deployNow(host, settings, watch));
  context.host.out.write(
    context.flags.json ? `${JSON.stringify(document)}\n` : fittedVerdict(context.host.out, document),
  );
  return document.exitCode;
};

/** The plan is what was asked for, so that the exit code is 0 also where the deploy would be refused. */
async function dryRun({ host, flags }: Context, settings: DeploymentSettings): Promise<number> {
  const { redact } = createRedactor(secretsOf(settings));
  const [inWords, commands] = [planInWords(settings).map(redact), plan(settings).map(redact)];
  const [refused, ahead] = await Promise.all([refusals(host, settings), commitsAhead(host, settings)]);
  const { branch } = settings;
  const document = { schemaVersion: 1, plan: inWords, commands, refusals: refused.map(redact), branch, ...ahead };
  if (flags.json) host.out.write(`${JSON.stringify(document)}\n`);
  else host.out.write(planText(inWords, flags.verbose ? commands : commands.map(withoutGuards), refused.map(redact)));
  return 0;
}

/** The plan as comments of the shell, so that the whole can be run. */
function planText(
  [title, ...steps]: readonly string[],
  commands: readonly string[],
  refused: readonly string[],
): string {
  const inWords = steps.map((step, index) => `${String(index + 1).padStart(2)}. ${step}`);
  const notPossible = refused.map(
    (because) => `! As things are the deploy would end before it changes anything: ${because}`,
  );
  const comments = [title ?? '', ...inWords, ...notPossible, 'Nothing was run. The commands:'];
  return `${[...comments.map((line) => `# ${line.replaceAll('\n', ' ')}`), '', ...commands].join('\n')}\n`;
}

/** The same on a terminal, as wide as it is. */
export const fittedVerdict = (out: Output, document: DeployDocument, stays = false): string =>
  verdict(document, stays).replaceAll(/.+/g, (line) => fitted(out, '', line, 2));

/**
 * The outcome in one line, and the reason of a bad one in another. `stays`: the command `rollback` leaves the checkout
 * at its new commit even if it is unhealthy.
 */
function verdict({ state, newCommit, previousCommit, exitCode, because }: DeployDocument, stays = false): string {
  const isBack = (state === 'rolled-back' || state === 'rolled-back-unhealthy') && !stays;
  const commit = isBack || state === 'aborted' ? previousCommit : newCommit;
  const why = because === null ? '' : `because: ${because}\n`;
  return `${state}${commit === null ? '' : ` at ${commit}`}, exit ${exitCode}\n${why}`;
}

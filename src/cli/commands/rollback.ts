import * as z from 'zod';
import { rollback as rollbackNow } from '../../deployment/rollback.ts';
import type { Destination } from '../../deployment/way-back/rollback-command.ts';
import { UsageError } from '../../host/errors.ts';
import type { Perform, RawArguments } from '../command/command.ts';
import { readFlags } from '../command/read-flags.ts';
import { wholeNumber } from '../command/whole-number.ts';
import { showDeploy } from '../runs/deploy-progress.ts';
import { readDeployment, talkative } from '../settings/read-deployment.ts';
import { runIdIn } from '../settings/run-id.ts';
import { fittedVerdict } from './deploy.ts';
import { isForServers, onServers, refuseServerOptions } from './on-servers.ts';

/**
 * `rollback [COMMIT]`, `rollback --steps N`: back to the N-th verified commit before the present one, or to the one
 * named.
 */
export const rollback: Perform = async (context, given) => {
  const destination = destinationOf(given);
  refuseServerOptions(given);
  if (isForServers(given)) return onServers(context, given, { command: 'rollback', words: wordsOf(destination) });
  const settings = { ...(await readDeployment(context, given)), ...runIdIn(given) };
  const quiet = { ...context, host: talkative(context) };
  const document = await showDeploy(quiet, settings, 'rollback', (host, watch) =>
    rollbackNow(host, settings, destination, watch),
  );
  context.host.out.write(
    context.flags.json ? `${JSON.stringify(document)}\n` : fittedVerdict(context.host.out, document, true),
  );
  return document.exitCode;
};

const wordsOf = (destination: Destination): readonly string[] =>
  'commit' in destination ? [destination.commit] : [`--steps=${destination.steps}`];

const stepsFlag = z.object({ steps: wholeNumber(1, 1000).exactOptional() });

function destinationOf({ operands: [commit], options }: RawArguments): Destination {
  const { steps } = readFlags(stepsFlag, options);
  if (commit === undefined) return { steps: steps ?? 1 };
  if (steps === undefined) return { commit };
  throw new UsageError([`--steps counts verified commits back, and ${commit} names one: give only one of the two.`]);
}

import { rollback as rollbackNow } from '../../deployment/rollback.ts';
import type { Perform } from '../command/command.ts';
import { readDeployment, talkative } from '../settings/read-deployment.ts';
import { verdict } from './deploy.ts';

/** `rollback [COMMIT]`: back to the last verified commit, or to the one named. */
export const rollback: Perform = async (context, given) => {
  const settings = await readDeployment(context, given);
  const document = await rollbackNow(talkative(context), settings, given.operands[0]);
  context.host.out.write(context.flags.json ? `${JSON.stringify(document)}\n` : verdict(document, true));
  return document.exitCode;
};

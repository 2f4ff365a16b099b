import { frozen, thaw } from '../../deployment/checkout/freeze.ts';
import type { Perform } from '../command/command.ts';
import { readCheckout } from '../settings/read-deployment.ts';

/** `unlock`: allows deploys again after `lock`. It never breaks the lock of a running deploy. */
export const unlock: Perform = async (context, given) => {
  const { stateFolder, directory } = await readCheckout(context, given);
  const { host, flags } = context;
  const before = await frozen(host.files, stateFolder);
  await thaw(host.files, stateFolder);
  if (flags.json) host.out.write(`${JSON.stringify({ schemaVersion: 1, frozen: null })}\n`);
  else if (before === undefined) host.out.write(`Deploys of ${directory} were not frozen.\n`);
  else
    host.out.write(
      `Deploys of ${directory} are allowed again. They were frozen since ${before.at}: ${before.reason}.\n`,
    );
  return 0;
};

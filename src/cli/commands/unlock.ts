import { thaw } from '../../deployment/checkout/freeze.ts';
import type { Perform } from '../command/command.ts';
import { readCheckout } from '../settings/read-deployment.ts';

/** `unlock`: allows deploys again after `lock`. It never breaks the lock of a running deploy. */
export const unlock: Perform = async (context, given) => {
  const { stateFolder } = await readCheckout(context, given);
  const { host, flags } = context;
  await thaw(host.files, stateFolder);
  if (flags.json) host.out.write(`${JSON.stringify({ schemaVersion: 1, frozen: null })}\n`);
  return 0;
};

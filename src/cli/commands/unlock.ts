import { type Freeze, frozen, thaw } from '../../deployment/checkout/freeze.ts';
import type { Perform } from '../command/command.ts';
import { fitted } from '../command/hanging-indent.ts';
import { readCheckout } from '../settings/read-deployment.ts';

/** `unlock`: allows deploys again after `lock`. It never breaks the lock of a running deploy. */
export const unlock: Perform = async (context, given) => {
  const { stateFolder, directory } = await readCheckout(context, given);
  const { host, flags } = context;
  const before = await frozen(host.files, stateFolder);
  await thaw(host.files, stateFolder);
  const { out } = host;
  if (flags.json) out.write(`${JSON.stringify({ schemaVersion: 1, frozen: null })}\n`);
  else out.write(`${fitted(out, '', said(directory, before))}\n`);
  return 0;
};

const said = (directory: string, before: Freeze | undefined): string =>
  before === undefined
    ? `Deploys of ${directory} were not frozen.`
    : `Deploys of ${directory} are allowed again. They were frozen since ${before.at}: ${before.reason}.`;

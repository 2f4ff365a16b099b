import { freeze, frozen } from '../../deployment/checkout/freeze.ts';
import { UsageError } from '../../host/errors.ts';
import type { Perform } from '../command/command.ts';
import { readCheckout } from '../settings/read-deployment.ts';

/** `lock --reason TEXT`: no deploy begins until `unlock`; one that is under way is not stopped. Exit 1 if deploys are frozen already. */
export const lock: Perform = async (context, given) => {
  const { reason } = given.options;
  if (typeof reason !== 'string' || reason.trim() === '')
    throw new UsageError(['--reason is missing: say why deploys are frozen.']);
  const { stateFolder } = await readCheckout(context, given);
  const { host, flags } = context;
  const { files, clock, talk, out } = host;
  await files.makeFolder(stateFolder, { mode: 0o700 });
  const record = { reason, at: new Date(clock.wallAt()).toISOString() };
  const already = !(await freeze(files, stateFolder, record));
  if (flags.json) {
    // Another process may unlock in between.
    const now = already ? ((await frozen(files, stateFolder)) ?? null) : record;
    out.write(`${JSON.stringify({ schemaVersion: 1, frozen: now, already })}\n`);
  }
  if (!already) return 0;
  talk.write('Deploys were frozen already, and the first reason is kept. holdfast unlock allows deploys again.\n');
  return 1;
};

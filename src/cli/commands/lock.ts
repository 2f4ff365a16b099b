import { freeze, frozen } from '../../deployment/checkout/freeze.ts';
import { UsageError } from '../../host/errors.ts';
import type { Perform } from '../command/command.ts';
import { readCheckout } from '../settings/read-deployment.ts';

/** `holdfast lock --reason TEXT`: no deploy until `unlock`; one that is under way ends as it would. */
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
    // Another one may thaw them in between.
    const now = already ? ((await frozen(files, stateFolder)) ?? null) : record;
    out.write(`${JSON.stringify({ schemaVersion: 1, frozen: now, already })}\n`);
  }
  if (!already) return 0;
  talk.write('Deploys are frozen already, and the first reason stays; holdfast unlock thaws them.\n');
  return 1;
};

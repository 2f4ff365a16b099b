import { performerOf } from '../../deployment/checkout/find-performer.ts';
import { freeze, frozen } from '../../deployment/checkout/freeze.ts';
import { openCheckout } from '../../deployment/checkout/open-checkout.ts';
import { UsageError } from '../../host/errors.ts';
import type { Perform } from '../command/command.ts';
import { readPlace } from '../settings/read-deployment.ts';

/** `lock --reason TEXT`: no deploy begins until `unlock`; one that is under way is not stopped. Exit 1 if deploys are frozen already. */
export const lock: Perform = async (context, given) => {
  const { reason } = given.options;
  if (typeof reason !== 'string' || reason.trim() === '')
    throw new UsageError(['--reason is missing: say why deploys are frozen.']);
  const settings = await readPlace(context, given);
  const { host, flags } = context;
  const { stateFolder, directory, self } = await openCheckout(host, settings);
  const { files, clock, talk, out } = host;
  await files.makeFolder(stateFolder, { mode: 0o700 });
  const by = await performerOf(files, self.userId, settings.environment);
  const record = { reason, at: new Date(clock.wallAt()).toISOString(), by };
  const already = !(await freeze(files, stateFolder, record));
  if (flags.json) {
    // Another process may unlock in between.
    const now = already ? ((await frozen(files, stateFolder)) ?? null) : record;
    out.write(`${JSON.stringify({ schemaVersion: 1, frozen: now, already })}\n`);
  }
  if (!already) {
    if (!flags.json)
      out.write(`Deploys of ${directory} are frozen: ${reason}. holdfast unlock allows deploys again.\n`);
    return 0;
  }
  talk.write('Deploys were frozen already, and the first reason is kept. holdfast unlock allows deploys again.\n');
  return 1;
};

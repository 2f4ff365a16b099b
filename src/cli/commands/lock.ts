import { performerOf } from '../../deployment/checkout/find-performer.ts';
import { type Freeze, freeze, freezeText, frozen } from '../../deployment/checkout/freeze.ts';
import { openCheckout } from '../../deployment/checkout/open-checkout.ts';
import { hasControlCharacter } from '../../deployment/settings/text-forms.ts';
import { UsageError } from '../../host/errors.ts';
import type { Perform } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { fitted } from '../command/hanging-indent.ts';
import { readPlace } from '../settings/read-deployment.ts';

/**
 * `lock --reason TEXT`: no deploy begins until `unlock`; one that is under way is not stopped. Exit 1 if deploys are
 * frozen already.
 */
export const lock: Perform = async (context, given) => {
  const { reason } = given.options;
  if (typeof reason !== 'string' || reason.trim() === '')
    throw new UsageError(['--reason is missing: say why deploys are frozen.']);
  if (hasControlCharacter(reason))
    throw new UsageError(['--reason holds a control character, such as a line end: leave it out.']);
  const settings = await readPlace(context, given);
  const { host, flags } = context;
  const { stateFolder, directory, self } = await openCheckout(host, settings);
  const { files, clock, out } = host;
  await files.makeFolder(stateFolder, { mode: 0o700 });
  const by = await performerOf(files, self.userId, settings.environment);
  const record = { reason, at: new Date(clock.wallAt()).toISOString(), by };
  const already = !(await freeze(files, stateFolder, record));
  if (already) return sayFirst(context, await frozen(files, stateFolder));
  if (flags.json) out.write(document(record, false));
  else out.write(`${fitted(out, '', `Deploys of ${directory} are frozen: ${reason}. ${howToThaw}`)}\n`);
  return 0;
};

const howToThaw = 'holdfast unlock allows deploys again.';

/** Another process may have unlocked in between: then there is no first freeze. */
function sayFirst({ host, flags }: Context, first: Freeze | undefined): 1 {
  if (flags.json) host.out.write(document(first ?? null, true));
  const kept = first === undefined ? '' : ` ${freezeText(first)}`;
  const said = `Deploys were frozen already, and the first reason is kept.${kept} ${howToThaw}`;
  host.talk.write(`${fitted(host.talk, '', said)}\n`);
  return 1;
}

function document(frozen: Freeze | null, already: boolean): string {
  return `${JSON.stringify({ schemaVersion: 1, frozen, already })}\n`;
}

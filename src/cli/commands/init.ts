import * as z from 'zod';
import { UsageError } from '../../host/errors.ts';
import { askWhatIsHere } from '../cluster/ask-what-is-here.ts';
import type { Perform } from '../command/command.ts';
import { exitCodes } from '../command/exit-codes.ts';
import { readFlags } from '../command/read-flags.ts';
import { say } from '../command/say.ts';
import { exampleSettings } from '../settings/example-settings.ts';
import { type Learnt, learntPart, learntSettings, type Part } from '../settings/learnt-settings.ts';

const schema = z.strictObject({
  force: z.boolean().default(false),
  only: z.enum(['validation', 'deployment']).exactOptional(),
});

/**
 * `init`: writes a commented `holdfast.yaml`, with what it finds here where a person can be asked; it overwrites an
 * existing one only with `--force`.
 */
export const init: Perform = async (context, { options }) => {
  const { host, flags } = context;
  const { force, only } = readFlags(schema, options);
  const path = flags.config ?? 'holdfast.yaml';
  const isTaken = !force && (await host.files.stat(path)) !== undefined;
  const asks = !isTaken && !flags.json && !flags.quiet && host.input.isTTY && host.talk.isTTY;
  const settings = textOf(asks ? await askWhatIsHere(context, only) : undefined, only);
  // Writes to the target of a link: replacing a link such as /dev/stdout would break it for every process.
  if (force) await host.files.replace((await host.files.realPath(path)) ?? path, settings);
  else if (!(await host.files.create(path, settings)))
    throw new UsageError([`${path} already exists: overwrite it with --force, or name another file with --config.`]);
  if (flags.json) host.out.write(`${JSON.stringify({ schemaVersion: 1, path })}\n`);
  else say(host.out, `Wrote ${path}. Edit it for your ${whatNext(only)}.`);
  return exitCodes.done;
};

const whatNext = (only: Part | undefined): string =>
  only === 'deployment'
    ? 'site, then run holdfast doctor and holdfast deploy --dry-run'
    : 'cluster, then run holdfast rehearse, precheck and plan';

function textOf(learnt: Learnt | undefined, only: Part | undefined): string {
  if (only !== undefined) return learntPart(only, learnt);
  return learnt === undefined ? exampleSettings : learntSettings(learnt);
}

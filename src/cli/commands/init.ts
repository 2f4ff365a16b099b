import * as z from 'zod';
import { UsageError } from '../../host/errors.ts';
import type { Perform } from '../command/command.ts';
import { exitCodes } from '../command/exit-codes.ts';
import { readFlags } from '../command/read-flags.ts';
import { exampleSettings } from '../settings/example-settings.ts';

const schema = z.strictObject({ force: z.boolean().default(false) });

/** `init`: writes a commented `holdfast.yaml`, never over one that is there unless forced. */
export const init: Perform = async ({ host, flags }, { options }) => {
  const { force } = readFlags(schema, options);
  const path = flags.config ?? 'holdfast.yaml';
  // Where a link stands, what it leads to is written: /dev/stdout is one, and everybody's.
  if (force) await host.files.replace((await host.files.realPath(path)) ?? path, exampleSettings);
  else if (!(await host.files.create(path, exampleSettings)))
    throw new UsageError([`${path} is there already; say --force to write over it, or name another with --config.`]);
  if (flags.json) host.out.write(`${JSON.stringify({ schemaVersion: 1, path })}\n`);
  else
    host.out.write(
      `${path} is written. Change what differs, then try: holdfast rehearse, holdfast precheck, holdfast plan.\n`,
    );
  return exitCodes.done;
};

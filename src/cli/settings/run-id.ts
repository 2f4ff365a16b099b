import * as z from 'zod';
import type { DeploymentSettings } from '../../deployment/settings/settings.ts';
import type { RawArguments } from '../command/command.ts';
import { readFlags } from '../command/read-flags.ts';

const flag = z.object({
  runId: z
    .string()
    .refine((text) => /^\d{8}T\d{6}Z-[0-9a-f]{4}$/.test(text), {
      error: ({ input }) => `is ${JSON.stringify(input)}, which is not an id such as 20261120T100000Z-1a2b`,
    })
    .exactOptional(),
});

/** The id that the caller has chosen for the run, so that it can ask how the run ended. */
export function runIdIn({ options }: RawArguments): Pick<DeploymentSettings, 'runId'> {
  return readFlags(flag, options);
}

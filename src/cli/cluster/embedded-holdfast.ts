import { UsageError } from '../../host/errors.ts';
import type { EmbeddedProgram } from '../../rehearsal/container-host.ts';
import { workerOf } from '../../settings/load-settings.ts';
import { probesOf, type Settings } from '../../validation/settings.ts';
import type { Context } from '../command/context.ts';
import { exitCodes } from '../command/exit-codes.ts';
import { sayMistakes } from '../command/say.ts';

/** This program, as the containers of the embedded cluster run it that have its image. */
export function embeddedHoldfast(
  { holdfast }: Pick<Context, 'holdfast'>,
  settings: Pick<Settings, 'probes'> & { readonly load?: Settings['load'] },
): EmbeddedProgram | undefined {
  if (holdfast === undefined) return undefined;
  const images = [probesOf(settings).image, ...(settings.load === undefined ? [] : [workerOf(settings.load).image])];
  return {
    isIn: ({ image }) => images.includes(image),
    main: async ({ args, environment, host }) => {
      try {
        return await holdfast(host, args, environment);
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        sayMistakes(host.talk, error.mistakes);
        return exitCodes.usage;
      }
    },
  };
}

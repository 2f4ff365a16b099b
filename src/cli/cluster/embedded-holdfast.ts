import { UsageError } from '../../host/errors.ts';
import type { EmbeddedProgram } from '../../rehearsal/programs/program.ts';
import { probesOf, type Settings } from '../../validation/settings.ts';
import type { Context } from '../command/context.ts';
import { exitCodes } from '../command/exit-codes.ts';
import { sayMistakes } from '../command/say.ts';

/** This program, as the containers of the embedded cluster run it that have its image. */
export function embeddedHoldfast(
  { holdfast }: Pick<Context, 'holdfast'>,
  settings: Pick<Settings, 'probes'>,
): EmbeddedProgram | undefined {
  if (holdfast === undefined) return undefined;
  const wanted = probesOf(settings).image;
  return {
    // The workers of a load have their own way to a start, requests and an end (rehearsal/controllers/load-workers.ts).
    isIn: ({ image, args }) => image === wanted && args?.[0] !== 'load-worker',
    main: async ({ args, host }) => {
      try {
        return await holdfast(host, args);
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        sayMistakes(host.talk, error.mistakes);
        return exitCodes.usage;
      }
    },
  };
}

import * as z from 'zod';
import { duration } from '../../settings/read-settings.ts';

/** How many of all servers one batch has. */
export type BatchSize = { readonly servers: number } | { readonly percent: number };

const batchSize = /^(?:([1-9]\d{0,5})|(100|[1-9]\d?)%)$/;

function readSizes(text: string): readonly BatchSize[] | undefined {
  const sizes = text.split(',').map((word) => batchSize.exec(word.trim()));
  if (sizes.some((size) => size === null)) return undefined;
  return sizes.map((size) => (size?.[2] === undefined ? { servers: Number(size?.[1]) } : { percent: Number(size[2]) }));
}

/** `1,25%,100%`: the sizes of the batches, the last one again and again. */
const batches = z
  .union([z.string(), z.int().min(1).transform(String)], { error: 'is not text such as 1,25%,100%' })
  .refine((text) => readSizes(text) !== undefined, {
    error: ({ input }) =>
      `is ${JSON.stringify(input)}, which is not a list of numbers of servers and of percentages from 1% to 100%, such as 1,25%,100%`,
  })
  .transform((text) => readSizes(text) ?? []);

const shellCommand = z.string().refine((text) => text.trim() !== '', { error: 'is empty' });

/** `deployment.servers`: how `deploy --host` and the like reach many servers. Which ones is only typed. */
export const serversSchema = z.strictObject({
  batch: batches.prefault('1'),
  /** Whether the servers that are done go back where one fails. */
  allOrNothing: z.boolean().default(false),
  /** As GIT_SSH_COMMAND: a shell reads it. */
  sshCommand: shellCommand.default('ssh'),
  /** Commands of this machine around each server. A shell reads them, and `{host}` is replaced. */
  drain: shellCommand.exactOptional(),
  restore: shellCommand.exactOptional(),
  /** The installed program of the servers, with words between spaces. */
  program: shellCommand.default('holdfast'),
  /** The settings file of the servers; ./holdfast.yaml of the home folder where absent. */
  config: shellCommand.exactOptional(),
  /** The limit of what is done on one server. */
  timeout: duration.prefault('1h'),
});
export type ServersSettings = z.output<typeof serversSchema>;

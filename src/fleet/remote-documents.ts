import * as z from 'zod';

const text = z.string();
const commit = z
  .string()
  .regex(/^[0-9a-f]{7,64}$/)
  .nullable();

/** What is read of the end of a deploy or a rollback on a server. The rest of its document is handed on. */
const end = z.looseObject({
  id: text.nullish(),
  state: z.enum([
    'verified',
    'unchanged',
    'updated',
    'rolled-back',
    'rolled-back-unhealthy',
    'rollback-failed',
    'aborted',
    'not-begun',
    'lost',
  ]),
  previousCommit: commit.optional(),
  newCommit: commit.optional(),
  httpStatus: z.number().nullish(),
  exitCode: z.number().int().min(0).max(255).nullable(),
  because: text.nullish(),
  steps: z.array(z.looseObject({ name: text })).optional(),
});

const status = z.looseObject({
  commit: commit.optional(),
  problems: z.array(text).optional(),
  lastRun: z.looseObject({ branch: text.nullish() }).nullable(),
});

/** Whether a server's document has what is read of it: a server may run another version, or answer what it likes. */
export const isServerEnd = (document: unknown): boolean => end.safeParse(document).success;
export const isServerStatus = (document: unknown): boolean => status.safeParse(document).success;

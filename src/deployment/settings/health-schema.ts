import * as z from 'zod';
import type { Command } from '../../host/host.ts';
import { duration } from '../../settings/read-settings.ts';
import { requestOptions } from '../../settings/request-options.ts';
import { isPattern, isUrl } from './text-forms.ts';

export const count = z.union([z.int().min(1), z.stringFormat('count', /^[1-9]\d*$/).transform(Number)], {
  error: ({ input }) => `is ${JSON.stringify(input)}, which is not a whole number of 1 or more`,
});
export const httpUrl = z.string().refine((text) => isUrl(text, ['http:', 'https:']), {
  error: 'is not an http:// or https:// address',
});

export const command = z
  .array(z.string())
  .min(1)
  .refine(([program]) => program === undefined || program.trim() !== '', { error: 'names no program' })
  .transform((words) => words as [string, ...string[]] satisfies Command);

/** How the site shows which commit answers. */
const proofSchema = z
  .strictObject({
    header: z.string().min(1).exactOptional(),
    file: httpUrl.exactOptional(),
    command: command.exactOptional(),
  })
  .refine((proof) => Object.keys(proof).length === 1, { error: 'has to be one of header, file and command' });

/** A health check is made in HTTP/1.1. */
const { http2: _http2, ...overHttp1 } = requestOptions;

/** One request decides (4.3, step 8), unless the settings allow more. */
export const healthSchema = z.strictObject({
  /** Further addresses that have to answer 200. */
  urls: z.array(httpUrl).default([]),
  /** What to do where the site is unhealthy before the deploy: log it, refuse, or do not ask. */
  baseline: z.enum(['warn', 'refuse', 'skip']).default('warn'),
  proof: proofSchema.exactOptional(),
  /** Whether a release is asked by itself before visitors are led to it (mode `releases`). */
  before: z.boolean().default(false),
  ...overHttp1,
  attempts: count.exactOptional(),
  deadline: duration.exactOptional(),
  consecutive: count.default(1),
  timeout: duration.prefault('10s'),
});

/** A regular expression whose first group is a version. */
const pattern = z
  .string()
  .refine((text) => isPattern(text), { error: 'is not a regular expression' })
  .transform((text) => new RegExp(text, 'g'));

/** Visitors during a deploy: none without a rate. */
export const monitorSchema = z.strictObject({
  /** Requests a second. */
  rate: z
    .union([z.number(), z.stringFormat('rate', /^\d+(\.\d+)?$/).transform(Number)])
    .refine((rate) => rate > 0 && rate <= 1000, { error: 'is not a number above 0, up to 1000 requests a second' })
    .exactOptional(),
  /** HEALTH_URL without it. */
  url: httpUrl.exactOptional(),
  slow: duration.prefault('1s'),
  timeout: duration.prefault('10s'),
  /** What names a version in a page: two of them in one page are old and new code together. */
  torn: pattern.exactOptional(),
});

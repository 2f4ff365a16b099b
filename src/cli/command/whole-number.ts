import * as z from 'zod';

/**
 * A whole number on the command line, from `least` to `most`. Only digits are accepted: neither an empty word nor
 * `1e3`.
 */
export const wholeNumber = (least: number, most: number = Number.MAX_SAFE_INTEGER) =>
  z
    .string()
    .refine((text) => /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most, {
      error: ({ input }) => `is '${input}', which is not a whole number ${boundsOf(least, most)}`,
    })
    .transform(Number);

const boundsOf = (least: number, most: number): string =>
  most === Number.MAX_SAFE_INTEGER ? `of ${least} or more` : `from ${least} to ${most}`;

import * as z from 'zod';

/** `--max-unknown`: `5%` or `0.05`. */
export const share = z.string().transform((text, context) => {
  const [, number, percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? [];
  const value = Number(number) / (percent === '%' ? 100 : 1);
  if (value >= 0 && value <= 1) return value;
  context.issues.push({
    code: 'custom',
    message: `is '${text}', which is no share such as 5% or 0.05`,
    input: text,
  });
  return z.NEVER;
});

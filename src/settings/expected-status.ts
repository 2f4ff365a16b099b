import * as z from 'zod';

/** `--expect`: one HTTP status. */
export const expectedStatus = z.string().transform((text, context) => {
  if (/^[1-5]\d\d$/.test(text)) return Number(text);
  context.issues.push({
    code: 'custom',
    message: `is '${text}', which is not an HTTP status such as 200`,
    input: text,
  });
  return z.NEVER;
});

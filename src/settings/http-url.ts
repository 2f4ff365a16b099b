import * as z from 'zod';

/** An http:// or https:// address without a name and password, which would stand in the downtime log; no mistake repeats one. */
export const httpUrl = z
  .string()
  .refine((text) => !mayHoldPassword(text), {
    error: 'holds a password, which would stand in the downtime log',
    abort: true,
  })
  .refine(isHttp, { error: ({ input }) => `is '${String(input)}', which is not an http:// or https:// address` });

/** Where the address is not one, nobody knows what stands before the `@`. */
function mayHoldPassword(text: string): boolean {
  if (!isHttp(text)) return text.includes('@');
  const { username, password } = new URL(text);
  return username !== '' || password !== '';
}

function isHttp(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '');
}

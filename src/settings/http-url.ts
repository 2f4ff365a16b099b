import * as z from 'zod';

/**
 * An http:// or https:// address without credentials, which would be written to the downtime log. No mistake repeats
 * credentials.
 */
export const httpUrl = z
  .string()
  .refine((text) => !mayHoldPassword(text), {
    error:
      "holds a password, which would be written to the downtime log: send it as a header, -H 'Authorization: Basic …'",
    abort: true,
  })
  .refine(isHttp, { error: ({ input }) => `is '${String(input)}', ${whyNot(String(input))}` });

const highestPort = 65_535;

function whyNot(text: string): string {
  const [, port] = /^https?:\/\/[^/?#]*:(\d+)(?:[/?#]|$)/i.exec(text) ?? [];
  return Number(port) > highestPort
    ? `and the highest port is ${highestPort}`
    : 'which is not an http:// or https:// address';
}

/** In a text that is not an address, anything before an `@` may be a password. */
function mayHoldPassword(text: string): boolean {
  if (!isHttp(text)) return text.includes('@');
  const { username, password } = new URL(text);
  return username !== '' || password !== '';
}

function isHttp(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '');
}

/** meta/v1 Time: RFC 3339 in whole seconds, of epoch milliseconds. */
export function timestamp(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

/** Epoch milliseconds of an API timestamp. */
export const instantOf = (text: string): number => Date.parse(text);

/** meta/v1 MicroTime, which Leases use, of epoch milliseconds. */
export const microTime = (at: number): string => new Date(at).toISOString().replace('Z', '000Z');

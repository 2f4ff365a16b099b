import type { Replayed } from './replay.ts';

/** One line: how many are alike, and how many have another status code. */
export function summary(replayed: readonly Replayed[]): string {
  const alike = replayed.filter((one) => one.differences.length === 0).length;
  const otherCode = replayed.filter(({ exchange, answer }) => exchange.answer.status !== answer.status).length;
  return `${alike} of ${replayed.length} alike, ${otherCode} with another status code`;
}

/** A request with every place at which the answers differ. */
export function described({ exchange, differences }: Replayed, number: number): string {
  const { group, method, path, headers, body } = exchange;
  const accept = headers.accept === 'application/json' ? '' : ` Accept: ${headers.accept}`;
  const sent = body === undefined ? '' : `\n    ${headers['content-type'] ?? 'no type'} ${shortened(body)}`;
  const places = differences.map(
    ({ path: at, real, ours }) => `\n  ${at}\n    real ${text(real)}\n    ours ${text(ours)}`,
  );
  return `#${number} ${group}: ${method} ${path}${accept}${sent}${places.slice(0, 20).join('')}`;
}

const text = (value: unknown): string => shortened(JSON.stringify(value) ?? 'absent');
const shortened = (long: string): string => (long.length > 400 ? `${long.slice(0, 400)}…` : long);

import * as z from 'zod';

/** The status of a good answer, or several as they are written: `200,204,3xx`. */
export type ExpectedStatuses = number | string;

const pattern = /^[1-5](\d\d|xx)(,[1-5](\d\d|xx))*$/;

/** Undefined for any other text. */
export function readExpected(text: string): ExpectedStatuses | undefined {
  if (!pattern.test(text)) return undefined;
  return text.length === 3 && !text.endsWith('x') ? Number(text) : text;
}

export const isExpected = (status: number, expect: ExpectedStatuses): boolean =>
  typeof expect === 'number' ? status === expect : statusesIn(expect).has(status);

/** One of them: where lines are compared with a single status, it is the one that most of the good ones have. */
export function usualOf(expect: ExpectedStatuses): number {
  if (typeof expect === 'number') return expect;
  const [first = 0] = statusesIn(expect);
  return isExpected(200, expect) ? 200 : first;
}

const known = new Map<string, ReadonlySet<number>>();

function statusesIn(text: string): ReadonlySet<number> {
  const found = known.get(text);
  if (found !== undefined) return found;
  const statuses = text.split(',').flatMap((one) => {
    const from = Number(one.replace('xx', '00'));
    return one.endsWith('xx') ? Array.from({ length: 100 }, (_, index) => from + index) : [from];
  });
  known.set(text, new Set(statuses));
  return new Set(statuses);
}

/** `--expect`. */
export const expectedStatus = z.string().transform((text, context) => {
  const expect = readExpected(text);
  if (expect !== undefined) return expect;
  context.issues.push({
    code: 'custom',
    message: `is '${text}', which is neither an HTTP status such as 200 nor several such as 200,204,3xx`,
    input: text,
  });
  return z.NEVER;
});

/** `expect` of a settings file. */
export const expectedSetting = z.union(
  [
    z.int().min(100).max(599),
    z
      .string()
      .regex(pattern)
      .transform((text) => readExpected(text) ?? text),
  ],
  { error: 'is neither an HTTP status such as 200 nor several such as 200,204,3xx' },
);

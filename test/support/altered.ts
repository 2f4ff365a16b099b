import type { Host, HttpRequest, HttpResponse } from '../../src/host/host.ts';

/** Stands for any document that could be there: half of the time another one, else one member changed. */
export function altered(document: unknown, draw: () => number): unknown {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(draw() * from.length)] as T;
  if (draw() < 0.1) return pick(instead);
  const copy: unknown = structuredClone(document);
  const places: [Record<string, unknown>, string][] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      // Half of an object, and hardly read.
      if (name === 'managedFields' && draw() < 0.95) continue;
      places.push([value as Record<string, unknown>, name]);
      visit(member);
    }
  };
  visit(copy);
  // Few changes leave a document that is read far.
  for (let left = draw() < 0.7 ? 1 : 3; left > 0 && places.length > 0; left -= 1) {
    const [within, name] = pick(places);
    if (draw() < 0.4 && !Array.isArray(within)) delete within[name];
    else within[name] = pick(instead);
  }
  return copy;
}

const instead = [
  null,
  true,
  0,
  -1,
  1e308,
  '',
  'x',
  '__proto__',
  'constructor',
  '\u001b[2J',
  '9'.repeat(400),
  [],
  [null],
  [[]],
  ['x'],
  {},
  { x: null },
  { metadata: null },
  { length: -1 },
] as const;

/** A text of JSON or JSON Lines with its documents altered, or torn. */
export function alteredText(text: string, draw: () => number): string {
  if (draw() < 0.05) return text.slice(0, Math.floor(draw() * text.length));
  const lines = text.split('\n');
  const at = Math.floor(draw() * lines.length);
  try {
    return JSON.stringify(altered(JSON.parse(text), draw));
  } catch {
    return lines.map((line, index) => (index === at ? alteredLine(line, draw) : line)).join('\n');
  }
}

function alteredLine(line: string, draw: () => number): string {
  try {
    return JSON.stringify(altered(JSON.parse(line), draw));
  } catch {
    return line.slice(0, Math.floor(draw() * line.length));
  }
}

/** The answers for which `isWrong` says so are altered; every other is as it is. */
export function answeringAltered(
  http: Host['http'],
  isWrong: (request: HttpRequest) => boolean,
  draw: () => number,
): Host['http'] {
  return async (request, signal) => {
    const response = await http(request, signal);
    return isWrong(request) ? alteredResponse(response, draw) : response;
  };
}

function alteredResponse({ json: _, ...response }: HttpResponse, draw: () => number): HttpResponse {
  return {
    ...response,
    text: async () => alteredText(await response.text(), draw),
    chunks: async function* () {
      const decoder = new TextDecoder();
      for await (const chunk of response.chunks())
        yield new TextEncoder().encode(alteredText(decoder.decode(chunk, { stream: true }), draw));
    },
  };
}

/** A small generator of numbers in [0, 1): the same for the same seed (mulberry32). */
export function drawing(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

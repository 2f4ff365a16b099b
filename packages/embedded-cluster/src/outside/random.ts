/**
 * Random numbers in [0, 1) in sub-streams: the same seed and name always give the same numbers, and a draw from one
 * stream changes no other. A name that is asked for again goes on where it stopped.
 */
export function randomStreams(seed: string): RandomStreams {
  const streams = new Map<string, () => number>();
  return (name) => {
    const known = streams.get(name);
    if (known !== undefined) return known;
    const stream = sfc32(hash128(`${seed}\n${name}`));
    streams.set(name, stream);
    return stream;
  };
}

/** The numbers of the stream of that name. */
export type RandomStreams = (stream: string) => () => number;

type Words = readonly [number, number, number, number];

/**
 * Four words of murmur3's mixing over the text's UTF-16 units (public domain, `cyrb128`): spreads names, hides nothing.
 */
function hash128(text: string): Words {
  let [a, b, c, d] = [1779033703, 3144134277, 1013904242, 2773480762];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = b ^ Math.imul(a ^ unit, 597399067);
    b = c ^ Math.imul(b ^ unit, 2869860233);
    c = d ^ Math.imul(c ^ unit, 951274213);
    d = a ^ Math.imul(d ^ unit, 2716044179);
  }
  a = Math.imul(c ^ (a >>> 18), 597399067);
  b = Math.imul(d ^ (b >>> 22), 2869860233);
  c = Math.imul(a ^ (c >>> 17), 951274213);
  d = Math.imul(b ^ (d >>> 19), 2716044179);
  return [a ^ b ^ c ^ d, a ^ b, a ^ c, a ^ d];
}

/**
 * Chris Doty-Humphrey's small fast counting generator (PractRand), after the twelve rounds that its author starts with.
 */
function sfc32(words: Words): () => number {
  let [a, b, c, counter] = words;
  const next = () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let round = 0; round < 12; round++) next();
  return next;
}

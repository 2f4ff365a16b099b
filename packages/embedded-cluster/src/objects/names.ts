/** The label of an EndpointSlice that names its Service (discovery.k8s.io/v1, LabelServiceName). */
export const serviceNameLabel = 'kubernetes.io/service-name';

/** The characters of generated names (apimachinery/pkg/util/rand): no vowels, none that looks like another. */
const letters = 'bcdfghjklmnpqrstvwxz2456789';

/** Five characters for the end of a generated name. `random` gives numbers in [0, 1). */
export function suffix(random: () => number): string {
  return Array.from({ length: 5 }, () => letters[Math.floor(random() * letters.length)]).join('');
}

/** Up to ten characters that stand for the text. */
export function textHash(text: string): string {
  return lettersOf(String(hash64(text) % 10_000_000_000n));
}

/**
 * The value of the label `pod-template-hash` for the text of a pod template (kubernetes, pkg/controller, ComputeHash).
 */
export function podTemplateHash(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return lettersOf(String(hash >>> 0));
}

const lettersOf = (digits: string): string =>
  [...digits].map((digit) => letters[digit.charCodeAt(0) % letters.length]).join('');

const offsetBasis = 0xcbf29ce484222325n;
const prime = 0x100000001b3n;

/** FNV-1a, 64 bits, of the text in UTF-8. */
export function hash64(text: string): bigint {
  let hash = offsetBasis;
  for (const byte of new TextEncoder().encode(text)) hash = ((hash ^ BigInt(byte)) * prime) & 0xffffffffffffffffn;
  return hash;
}

/** The label of an EndpointSlice that names its Service (discovery.k8s.io/v1, LabelServiceName). */
export const serviceNameLabel = 'kubernetes.io/service-name';

/** The characters of generated names (apimachinery/pkg/util/rand): no vowels, none that looks like another. */
const letters = 'bcdfghjklmnpqrstvwxz2456789';

/** Five characters for the end of a generated name. `random` gives numbers in [0, 1). */
export function suffix(random: () => number): string {
  return Array.from({ length: 5 }, () => letters[Math.floor(random() * letters.length)]).join('');
}

/** The value of the label `pod-template-hash` for the JSON text of a pod template. */
export function templateHash(text: string): string {
  const digits = String(hash64(text) % 10_000_000_000n);
  return [...digits].map((digit) => letters[digit.charCodeAt(0) % letters.length]).join('');
}

const offsetBasis = 0xcbf29ce484222325n;
const prime = 0x100000001b3n;

/** FNV-1a, 64 bits, of the text in UTF-8. */
export function hash64(text: string): bigint {
  let hash = offsetBasis;
  for (const byte of new TextEncoder().encode(text)) hash = ((hash ^ BigInt(byte)) * prime) & 0xffffffffffffffffn;
  return hash;
}

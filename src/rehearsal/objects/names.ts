/** The label of an EndpointSlice that names its Service (discovery.k8s.io/v1, LabelServiceName). */
export const serviceNameLabel = 'kubernetes.io/service-name';

/** The letters that Kubernetes makes names of: no vowels, nothing that looks like something else (rand.SafeEncodeString). */
const letters = 'bcdfghjklmnpqrstvwxz2456789';

/** Five letters for the end of a generated name. */
export function suffix(random: () => number): string {
  return Array.from({ length: 5 }, () => letters[Math.floor(random() * letters.length)]).join('');
}

/** The pod-template-hash of a template's JSON text. */
export function templateHash(text: string): string {
  const digits = String(hash64(text) % 10_000_000_000n);
  return [...digits].map((digit) => letters[digit.charCodeAt(0) % letters.length]).join('');
}

const offset = 0xcbf29ce484222325n;
const prime = 0x100000001b3n;

/** FNV-1a, 64 bits. */
export function hash64(text: string): bigint {
  let hash = offset;
  for (const byte of new TextEncoder().encode(text)) hash = ((hash ^ BigInt(byte)) * prime) & 0xffffffffffffffffn;
  return hash;
}

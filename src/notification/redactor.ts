import { type Secret, shown } from './secret.ts';

/** Removes secrets from every text that leaves the program. */
export interface Redactor {
  /** The text without known secrets in any encoding, and without anything that has the shape of a secret. */
  redact(text: string): string;
  /** Adds a secret, such as the password in a remote's address. */
  add(secret: Secret): void;
}

export function createRedactor(secrets: readonly Secret[] = []): Redactor {
  const known = new Set<string>();
  let values: RegExp | undefined;
  const add = (secret: Secret): void => {
    for (const form of forms(secret.reveal())) known.add(form);
    values = known.size === 0 ? undefined : anyOf([...known]);
  };
  secrets.forEach(add);
  return {
    add,
    redact(text) {
      const byValue = values === undefined ? text : text.replace(values, shown);
      return shapes.reduce((redacted, [shape, replacement]) => redacted.replace(shape, replacement), byValue);
    },
  };
}

/** Redacting shorter values would remove ordinary words from a log. */
const shortestSecret = 6;

/**
 * The forms of a value: plain, URL-encoded, in JSON, in basic authentication; of an address also without scheme and
 * host.
 */
function forms(value: string): readonly string[] {
  const url = URL.parse(value);
  const parts = url === null ? [] : [url.href, `${url.pathname}${url.search}`, url.username, url.password];
  return [value, ...parts, ...parts.map(decoded)]
    .flatMap((text) => [
      text,
      encodeURIComponent(text),
      JSON.stringify(text).slice(1, -1),
      Buffer.from(text).toString('base64').replace(/=+$/, ''),
    ])
    .filter((text) => text.length >= shortestSecret);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The longest first, so that no part of a longer secret remains. */
function anyOf(values: readonly string[]): RegExp {
  const ordered = values.toSorted((a, b) => b.length - a.length);
  return new RegExp(ordered.map((value) => RegExp.escape(value)).join('|'), 'g');
}

/**
 * Secrets by their shape: userinfo in an address, a token in a query, tokens of known forges, authorization headers.
 */
const shapes: readonly (readonly [RegExp, string])[] = [
  [/([a-z][a-z0-9+.-]*:\/\/)[^/?#@\s'"]+@/gi, `$1${shown}@`],
  [/([?&](?:access_token|api_?key|auth|key|password|secret|signature|token)=)[^&\s'"]+/gi, `$1${shown}`],
  [/\b(?:gh[oprsu]_|github_pat_|glpat-|xox[abeprs]-)[\w-]{8,}/g, shown],
  [/(authorization:\s*\w+\s+)\S+/gi, `$1${shown}`],
];

/** The same value with every text in it redacted. */
export function redacted<T>(value: T, redact: (text: string) => string): T {
  if (typeof value === 'string') return redact(value) as T;
  if (Array.isArray(value)) return value.map((item) => redacted(item, redact)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redacted(item, redact)])) as T;
}

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
  const encoded = new Set<string>();
  let values: RegExp | undefined;
  const add = (secret: Secret): void => {
    for (const form of forms(secret.reveal())) {
      known.add(form);
      for (const core of base64Cores(form)) encoded.add(core);
    }
    values = known.size === 0 ? undefined : anyOf([...known], [...encoded]);
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
 * The forms of a value: plain, URL-encoded, in JSON; of an address also without scheme and host.
 */
function forms(value: string): readonly string[] {
  const url = URL.parse(value);
  const parts = url === null ? [] : [url.href, `${url.pathname}${url.search}`, url.username, url.password];
  return [value, ...parts, ...parts.map(decoded)]
    .flatMap((text) => [text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1)])
    .filter((text) => text.length >= shortestSecret);
}

/**
 * What every base64 of a text with this value in it has, whatever stands before and after it: `user:password` of basic
 * authentication, or a whole header. There are three, because three bytes are four characters.
 */
function base64Cores(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  const cores = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const end = Math.floor(((before + bytes.length) * 8) / 6);
    return text.slice(Math.ceil((before * 8) / 6), end);
  });
  return cores.filter((core) => core.length >= shortestSecret).flatMap((core) => [core, urlSafe(core)]);
}

const urlSafe = (text: string): string => text.replaceAll('+', '-').replaceAll('/', '_');

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The longest first, so that no part of a longer secret remains. */
function anyOf(values: readonly string[], cores: readonly string[]): RegExp {
  const longest = (texts: readonly string[]): string =>
    texts
      .toSorted((a, b) => b.length - a.length)
      .map((text) => RegExp.escape(text))
      .join('|');
  // Only where a word begins: else a long word would be read again from each of its letters.
  const word = cores.length === 0 ? '' : `|(?<![\\w+/-])[\\w+/-]*?(?:${longest(cores)})[\\w+/=-]*`;
  return new RegExp(longest(values) + word, 'g');
}

/**
 * Secrets by their shape: userinfo in an address, a token in a query, tokens of known forges, authorization headers.
 * Repetitions have bounds: without them one long word of a step's output took time by the square of its length.
 */
const shapes: readonly (readonly [RegExp, string])[] = [
  [/([a-z][a-z0-9+.-]{0,40}:\/\/)[^/?#@\s'"]+@/gi, `$1${shown}@`],
  [/([?&](?:access_token|api_?key|auth|key|password|secret|signature|token)=)[^&\s'"]+/gi, `$1${shown}`],
  [/\b(?:gh[oprsu]_|github_pat_|glpat-|xox[abeprs]-)[\w-]{8,}/g, shown],
  [/(authorization:\s*\w+\s+)\S+/gi, `$1${shown}`],
  // As options and variables of commands: curl, the clients of databases, and most others.
  [
    /(\s--?[\w-]{0,40}(?:password|passwd|passphrase|secret|token|api-?key)(?:=|\s+))(?!-)("[^"]*"|'[^']*'|\S+)/gi,
    `$1${shown}`,
  ],
  [
    /\b(\w{0,60}(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|API_?KEY|ACCESS_?KEY)\w{0,60}=)("[^"]*"|'[^']*'|[^\s"']+)/g,
    `$1${shown}`,
  ],
  [/(\b(?:curl|wget)\b[^\n]{0,500}?\s(?:-u|--user)[\s=]?)("[^"]*"|'[^']*'|\S+)/g, `$1${shown}`],
  [/(\b(?:mysql|mariadb)[\w-]*\b[^\n]{0,500}?\s-p)("[^"]*"|'[^']*'|[^\s"']+)/g, `$1${shown}`],
];

/** The same value with every text in it redacted. */
export function redacted<T>(value: T, redact: (text: string) => string): T {
  if (typeof value === 'string') return redact(value) as T;
  if (Array.isArray(value)) return value.map((item) => redacted(item, redact)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redacted(item, redact)])) as T;
}

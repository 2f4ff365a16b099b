/**
 * Whether a settings file holds a secret: the address of a webhook, or a password in an address. `text` is the file with its comments,
 * `value` its parsed value.
 */
export function holdsSecret(text: string, value: unknown): boolean {
  return holdsCredentials(text) || members('', value).some(isSecret);
}

interface Member {
  readonly key: string;
  readonly text: string;
}

function members(key: string, value: unknown): readonly Member[] {
  if (typeof value === 'string') return [{ key, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([inner, item]) => members(inner, item));
}

const isSecret = ({ key, text }: Member): boolean =>
  holdsCredentials(text) || (/webhookUrl$/i.test(key) && text.includes('://') && !text.includes('${'));

/** `scheme://user:password@`, or a token as the user; `${NAME}` is neither. */
const holdsCredentials = (text: string): boolean =>
  /:\/\/[^/\s:@]*:(?!\$\{)[^\s@/]+@/.test(text) || /https?:\/\/[^/\s:@$]+@/.test(text);

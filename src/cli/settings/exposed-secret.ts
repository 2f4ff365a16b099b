import type { Files } from '../../host/host.ts';

/**
 * A secret in a file of settings is a mistake if others can read the file. `text` is the file with its comments,
 * `value` its parsed value.
 */
export async function exposedSecret(
  files: Pick<Files, 'stat' | 'realPath'>,
  path: string,
  text: string,
  value: unknown,
): Promise<readonly string[]> {
  if (!holdsSecret(text, value)) return [];
  const stat = await files.stat((await files.realPath(path)) ?? path);
  if (((stat?.mode ?? 0) & 0o044) === 0) return [];
  return [
    `${path} holds a secret, and other users can read the file: write \${NAME} and set NAME in the environment, or run chmod 600 ${path}.`,
  ];
}

/**
 * Whether a settings file holds a secret: the address of a webhook, a password in an address, or a header that says who
 * asks. `text` is the file with its comments, `value` its parsed value.
 */
export function holdsSecret(text: string, value: unknown): boolean {
  return holdsCredentials(text) || members('', value).some(isSecret);
}

interface Member {
  /** With `headers` in front of it for the text of a header. */
  readonly key: string;
  readonly text: string;
}

function members(key: string, value: unknown): readonly Member[] {
  if (typeof value === 'string') return [{ key, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  const within = /^headers?$/.test(key) ? 'headers ' : '';
  return Object.entries(value).flatMap(([inner, item]) => members(within + inner, item));
}

const isSecret = ({ key, text }: Member): boolean =>
  holdsCredentials(text) ||
  (/webhookUrl$/i.test(key) && text.includes('://') && !text.includes('${')) ||
  (!text.includes('${') && secretHeader.test(key.replace(/\d+$/, text)));

const secretHeader = /^headers ([\w-]*(authorization|token|secret|password|key)|cookie)\b/i;

/** `scheme://user:password@`, or a token as the user; `${NAME}` is neither. */
const holdsCredentials = (text: string): boolean =>
  /:\/\/[^/\s:@]*:(?!\$\{)[^\s@/]+@/.test(text) || /https?:\/\/[^/\s:@$]+@/.test(text);

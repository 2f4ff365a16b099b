import type { Files } from '../../host/host.ts';
import { holdsSecret } from './holds-secret.ts';

/** A secret in a file of settings is a mistake if others can read the file. `text` is the file with its comments, `value` its parsed value. */
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

import { OperationError } from './errors.ts';
import type { Files } from './host.ts';

/** The PEM of the authorities, or why there is none, one sentence without its place. */
export async function readAuthorities(
  files: Pick<Files, 'read'>,
  path: string,
): Promise<{ readonly ca: string } | { readonly mistake: string }> {
  const text = await files.read(path, { mayBePipe: true }).catch((error: unknown) => {
    if (error instanceof OperationError) return error;
    throw error;
  });
  if (text === undefined) return { mistake: `names ${path}, and there is no such file` };
  if (typeof text !== 'string') return { mistake: `names ${path}, which cannot be read: ${text.message}` };
  const holdsOne = /-----BEGIN (TRUSTED |X509 )?CERTIFICATE-----/.test(text);
  return holdsOne ? { ca: text } : { mistake: `names ${path}, which holds no certificate in PEM` };
}

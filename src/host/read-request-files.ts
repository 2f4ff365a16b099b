import { createPrivateKey, X509Certificate } from 'node:crypto';
import { OperationError } from './errors.ts';
import type { Files } from './host.ts';
import type { Target } from './probe/target.ts';

/** The options of a request that name files. */
export interface RequestFiles {
  readonly cacert?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly data?: readonly string[];
}
type Option = keyof RequestFiles;

/**
 * What the files hold, as a target has it; or what is wrong with them: the name of an option, and the rest of a
 * sentence about it.
 */
export type ReadRequestFiles =
  | { readonly held: Pick<Target, 'ca' | 'identity' | 'data'> }
  | { readonly mistakes: readonly (readonly [option: Option, mistake: string])[] };

type Text = { readonly text: string } | { readonly mistake: string };

const certificate = /-----BEGIN (TRUSTED |X509 )?CERTIFICATE-----/;
const privateKey = /-----BEGIN ([A-Z]+ )?PRIVATE KEY-----/;

export async function readRequestFiles(
  files: Pick<Files, 'read'>,
  { cacert, cert, key = cert, data }: RequestFiles,
): Promise<ReadRequestFiles> {
  const found: Readonly<Record<Option, Text | undefined>> = {
    cacert: await heldBy(files, cacert, certificate, 'certificate'),
    cert: await heldBy(files, cert, certificate, 'certificate'),
    key: cert === undefined ? undefined : await heldBy(files, key, privateKey, 'private key'),
    data: data === undefined ? undefined : await dataIn(files, data),
  };
  const mistakes = Object.entries(found).flatMap(([option, one]) =>
    one !== undefined && 'mistake' in one ? [[option as Option, one.mistake] as const] : [],
  );
  if (mistakes.length > 0) return { mistakes };
  return heldBeside(found, key ?? '');
}

function heldBeside(found: Readonly<Record<Option, Text | undefined>>, keyPath: string): ReadRequestFiles {
  const text = (option: Option) => (found[option] as { readonly text: string } | undefined)?.text;
  const [ca, cert, key, data] = [text('cacert'), text('cert'), text('key'), text('data')];
  const identity = cert === undefined || key === undefined ? undefined : { cert, key };
  const mistake = identity === undefined ? undefined : pairMistake(identity, keyPath);
  if (mistake !== undefined) return { mistakes: [['key', mistake]] };
  const members = Object.entries({ ca, identity, data }).filter(([, one]) => one !== undefined);
  return { held: Object.fromEntries(members) };
}

async function heldBy(
  files: Pick<Files, 'read'>,
  path: string | undefined,
  pattern: RegExp,
  what: string,
): Promise<Text | undefined> {
  if (path === undefined) return undefined;
  const read = await readText(files, path);
  if ('mistake' in read || pattern.test(read.text)) return read;
  return { mistake: `names ${path}, which holds no ${what} in PEM` };
}

/** What OpenSSL would say only when the first probe is made. */
function pairMistake({ cert, key }: { readonly cert: string; readonly key: string }, path: string): string | undefined {
  try {
    if (new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) return undefined;
    return `names ${path}, whose key is not that of the certificate`;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `names ${path}, and certificate and key cannot be read: ${reason}; a key with a password is not asked for one`;
  }
}

/** As curl does it: several are joined, and the line ends of a file are left out. */
async function dataIn(files: Pick<Files, 'read'>, data: readonly string[]): Promise<Text> {
  const parts = await Promise.all(
    data.map(async (one): Promise<Text> => {
      if (!one.startsWith('@')) return { text: one };
      const read = await readText(files, one.slice(1));
      return 'text' in read ? { text: read.text.replaceAll(/[\r\n\0]/g, '') } : read;
    }),
  );
  const texts = parts.map((part) => ('text' in part ? part.text : ''));
  return parts.find((part) => 'mistake' in part) ?? { text: texts.join('&') };
}

async function readText(files: Pick<Files, 'read'>, path: string): Promise<Text> {
  const text = await files.read(path).catch((error: unknown) => {
    if (error instanceof OperationError) return error;
    throw error;
  });
  if (text === undefined) return { mistake: `names ${path}, and there is no such file` };
  return typeof text === 'string' ? { text } : { mistake: `names ${path}, which cannot be read: ${text.message}` };
}

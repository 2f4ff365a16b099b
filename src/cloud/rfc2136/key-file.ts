/** A key as `tsig-keygen` writes it and `nsupdate -k` reads it. */
export interface TsigKey {
  readonly name: string;
  readonly algorithm: TsigAlgorithm;
  readonly secret: Buffer;
}
/** The names of Node's hashes for the algorithms of RFC 8945, section 6. */
export const algorithms = {
  'hmac-sha224': 'sha224',
  'hmac-sha256': 'sha256',
  'hmac-sha384': 'sha384',
  'hmac-sha512': 'sha512',
} as const;
export type TsigAlgorithm = keyof typeof algorithms;

/** The key of a BIND key file, or what is wrong with it in a sentence that does not repeat the secret. */
export function readKeyFile(text: string): TsigKey | string {
  // Two slashes between quotes are no comment: base64 has them.
  const plain = text.replace(/"[^"\n]*"|\/\*[\s\S]*?\*\/|(?:\/\/|#).*$/gm, (part) =>
    part.startsWith('"') ? part : '',
  );
  const [, name, body] = /^\s*key\s+"?([^\s"{;]+)"?\s*\{([^}]*)\}\s*;?\s*$/.exec(plain) ?? [];
  if (name === undefined || body === undefined)
    return 'it is not one key as tsig-keygen writes it: key "name" { algorithm hmac-sha256; secret "…"; };';
  const field = (word: string) => new RegExp(`(?:^|;)\\s*${word}\\s+"?([^\\s";]+)"?\\s*;`).exec(body)?.[1];
  const algorithm = field('algorithm')?.toLowerCase().replace(/\.$/, '');
  if (!isAlgorithm(algorithm)) return `its algorithm is none of ${Object.keys(algorithms).join(', ')}`;
  const secret = Buffer.from(field('secret') ?? '', 'base64');
  if (secret.length === 0) return 'it has no secret in base64';
  return { name: name.toLowerCase().replace(/\.$/, ''), algorithm, secret };
}

const isAlgorithm = (text: string | undefined): text is TsigAlgorithm => text !== undefined && text in algorithms;

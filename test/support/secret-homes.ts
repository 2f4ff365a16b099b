import type { Sighting } from './search-secrets.ts';

/** Files that may hold a secret, because a person (in the suite the test) wrote it there. */
export interface SecretHome {
  readonly file: RegExp;
  /** The only secret that the file may hold; absent if it may hold any. */
  readonly text?: string;
  readonly why: string;
}

/** A folder of one test; what is deleted keeps its path below the folder that it is moved to. */
const inTest = (folder: string, file: string): RegExp =>
  new RegExp(`^(tmp|kept/deleted/[^/]+)/${folder}-\\w{6}/(${file})$`);

export const homes: readonly SecretHome[] = [
  { file: inTest('holdfast-deploy', 'holdfast\\.yaml'), why: 'the settings of a person, mode 0600' },
  { file: inTest('holdfast-deploy', 'app/\\.git/config'), why: 'the address of a remote, as git keeps it' },
  {
    file: inTest('holdfast-deploy', 'app/storage/logs/app\\.log'),
    why: 'the application’s own log, into which the test makes the application write it',
  },
  { file: inTest('holdfast-deploy', '(host|user)-key'), why: 'the keys of an sshd and its user, by ssh-keygen' },
  { file: inTest('holdfast-credentials', 'webhook-secret'), why: 'a credential of systemd, mode 0400' },
  { file: inTest('holdfast', '(config|kubeconfig|text)'), why: 'a kubeconfig with a token, one of them not YAML' },
  {
    file: inTest('holdfast', '((ca|server|carol|alice|127\\.0\\.0\\.1)|pki/alice)\\.key|key'),
    why: 'private keys, by openssl',
  },
  { file: inTest('holdfast', 'plugin'), why: 'a kubeconfig’s program that prints a token or a key' },
  { file: /^kept\/said\/[\d-]+-plugin$/, why: 'what that program prints, which the product alone reads' },
  {
    file: inTest('holdfast-package', 'source/test/support/secret(s|-homes)\\.ts'),
    why: 'the list of secrets itself, in a copy of the source that is packed',
  },
  {
    file: /^tmp\/node-compile-cache\/[^/]+\/[0-9a-f]{8}$/,
    text: 'PRIVATE KEY-----',
    why: 'compiled code of libraries that read keys',
  },
];

/** The file that may have the secret; undefined for a leak. */
export function homeOf({ file, text }: Sighting): SecretHome | undefined {
  return homes.find((home) => home.file.test(file) && (home.text ?? text) === text);
}

/**
 * Every secret that a test gives to the product. Tests take them from here, so that the search over all files and
 * outputs of the suite knows them; each is odd enough to be found, and nothing else is written like it.
 */
export const secrets = {
  gitPassword: 'correct-horse-battery',
  wrongGitPassword: 'wrong-horse-battery',
  /** The last part of a chat webhook's address. */
  chatWebhook: 'staple-of-secrets',
  wrongChatWebhook: 'staple-without-scheme',
  genericWebhook: 'generic-hook-7',
  pushSecret: 'a secret of enough length',
  healthToken: 'health-token-1',
  healthPassword: 'health-p@ssword-2',
  addressPassword: 'address-passw0rd-3',
  mailPassword: 'mail-p@ssword-9',
  wrongMailPassword: 'mail-passw0rd-of-smpt',
  learnedPassword: 'pass word/1',
  bearerToken: 's3cret',
  /** In a Secret of one's own manifests. */
  databasePassword: 'database-passw0rd-11',
  awsSecretKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
} as const;

/** Keys that openssl and ssh-keygen make anew in each run, by the line that each begins with. */
const keyLine = 'PRIVATE KEY-----';

/**
 * Everything that a search has to look for: each secret as it is, in an address, in JSON and in Base64 at any offset.
 */
export const soughtTexts: readonly string[] = [
  ...new Set([keyLine, ...Object.values<string>(secrets).flatMap(formsOf)]),
];

function formsOf(secret: string): readonly string[] {
  const inAddress = encodeURIComponent(secret);
  const base64 = [0, 1, 2].map((offset) => base64Within(secret, offset));
  return [
    secret,
    inAddress,
    inAddress.replaceAll('%20', '+'),
    JSON.stringify(secret).slice(1, -1),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ];
}

/**
 * The characters of Base64 that this secret alone decides, when so many bytes (modulo 3) stand before it (RFC 4648,
 * section 4).
 */
function base64Within(secret: string, offset: number): string {
  const bits = (offset + Buffer.byteLength(secret)) * 8;
  const whole = Buffer.from('\0'.repeat(offset) + secret).toString('base64');
  return whole.slice(Math.ceil((offset * 8) / 6), Math.floor(bits / 6));
}

/** What may hold a secret: curl's `-H` (also after other letters) and `--proxy`, and an address with a user. */
const secret = /^(-[a-zA-Z0-9]*H|--header|--proxy)|:\/\/[^/?#]*@/;

/** What the list of processes shows instead of the command line; undefined if the command line holds no secret. */
export function processTitle(argv: readonly string[]): string | undefined {
  return argv.some((word) => secret.test(word))
    ? `holdfast ${argv.find((word) => !word.startsWith('-') && !secret.test(word))}`
    : undefined;
}

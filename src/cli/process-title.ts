/** What may hold a secret: curl's `-H` (also after other letters) and `--proxy`. */
const secretFlag = /^(-[a-zA-Z0-9]*H|--header|--proxy)/;

/** What the list of processes shows instead of the command line; undefined if the command line holds no secret. */
export function processTitle(argv: readonly string[]): string | undefined {
  return argv.some((word) => secretFlag.test(word))
    ? `holdfast ${argv.find((word) => !word.startsWith('-'))}`
    : undefined;
}

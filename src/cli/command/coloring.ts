/**
 * Which outputs get colours: terminals that are not dumb, and with FORCE_COLOR every output. `--no-color` and NO_COLOR
 * (no-color.org) win: who cannot read colours has asked for none.
 */
export function coloring(
  { NO_COLOR: none = '', FORCE_COLOR: forced = '', TERM: terminal }: Readonly<Record<string, string | undefined>>,
  isAllowed: boolean,
): (output: { readonly isTTY: boolean }) => boolean {
  if (!isAllowed || none !== '') return () => false;
  if (forced !== '') return () => forced !== '0' && forced !== 'false';
  return ({ isTTY }) => isTTY && terminal !== 'dumb';
}

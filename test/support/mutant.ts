/** One change of a source text, between two offsets of it. */
export interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly from: number;
  readonly to: number;
  readonly instead: string;
}

export const withMutant = (text: string, { from, to, instead }: Mutant): string =>
  text.slice(0, from) + instead + text.slice(to);

/** A guard of the source, the source without it, and the test that must fail then. */
export interface SourceMutant {
  readonly file: string;
  readonly guard: string;
  readonly without: string;
  readonly test: string;
}

/** What is taken away from a file, and what is written instead. */
export type Change = readonly [guard: string, without: string];

/** Mutants of one file that one test has to see; both as `src` and `test` name them: `validation/lease`. */
export const inFile = (file: string, test: string, ...changes: readonly Change[]): readonly SourceMutant[] =>
  changes.map(([guard, without]) => ({ file: `src/${file}.ts`, guard, without, test: `test/${test}.test.ts` }));

/** Whether every seed and case is wanted. */
export const isThorough = process.env.SEEDS === 'all';

/**
 * The seeds that a property is tried with: the first `few` in `npm test`, all with SEEDS=all (`npm run campaign --
 * many-seeds`), and one alone with SEED=7, to repeat what failed.
 */
export function seeds({ few, all }: { readonly few: number; readonly all: number }): readonly number[] {
  const { SEED } = process.env;
  if (SEED !== undefined) return [Number(SEED)];
  return Array.from({ length: isThorough ? all : few }, (_, index) => index + 1);
}

/** So many of a property's cases, spread over all of them; every one with SEEDS=all. */
export function spread<T>(cases: readonly T[], count: number): readonly T[] {
  if (isThorough || count >= cases.length) return cases;
  return Array.from({ length: count }, (_, index) => cases[Math.floor(((index + 0.5) * cases.length) / count)] as T);
}

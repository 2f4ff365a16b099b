/**
 * The seeds that a property is tried with: the first `few` in `npm test`, all with SEEDS=all (`npm run campaign -- many-seeds`),
 * and one alone with SEED=7, to repeat what failed.
 */
export function seeds({ few, all }: { readonly few: number; readonly all: number }): readonly number[] {
  const { SEED, SEEDS } = process.env;
  if (SEED !== undefined) return [Number(SEED)];
  return Array.from({ length: SEEDS === 'all' ? all : few }, (_, index) => index + 1);
}

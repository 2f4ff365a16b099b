/** As `map`, with at most so many at once. Where `goesOn` says no, the rest is not begun and undefined. */
export async function inParallel<T, R>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<R>,
  goesOn: () => boolean = () => true,
): Promise<readonly (R | undefined)[]> {
  const results: (R | undefined)[] = items.map(() => undefined);
  const waiting = items.entries();
  const lane = async (): Promise<void> => {
    for (const [index, item] of waiting) {
      if (!goesOn()) return;
      results[index] = await work(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, lane));
  return results;
}

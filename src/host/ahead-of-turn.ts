/** Does the piece of work with that number. */
export type Work<T> = (index: number) => Promise<T>;

/** The most results that may wait in memory for their turn. */
const mostAhead = 8;

/**
 * The results of numbered pieces of work, in their order. Each free thread takes the next piece: this thread, and the
 * others as soon as they are ready. Each of the others has two pieces at once, so that it never waits. A thread that
 * does not become ready leaves its share to the rest.
 */
export async function* aheadOfTurn<T>(
  count: number,
  here: Work<T>,
  others: readonly Promise<Work<T>>[],
): AsyncGenerator<T> {
  const results: (Promise<T> | undefined)[] = [];
  const done = new Set<number>();
  let [begun, given] = [0, 0];
  let turn = Promise.withResolvers<void>();
  const mayBegin = () => begun < count && begun - given < mostAhead;
  const begin = (work: Work<T>) => {
    const index = begun++;
    const result = work(index);
    results[index] = result;
    // A failure is thrown when its turn comes.
    return result.then(
      () => done.add(index),
      () => done.add(index),
    );
  };
  const join = async (work: Work<T>) => {
    while (begun < count) await (mayBegin() ? begin(work) : turn.promise);
  };
  for (const other of others)
    other.then(
      (work) => Promise.all([join(work), join(work)]),
      () => {},
    );
  for (; given < count; given++) {
    turn.resolve();
    turn = Promise.withResolvers();
    while (!done.has(given)) await (mayBegin() ? begin(here) : results[given]?.catch(() => {}));
    yield (await results[given]) as T;
    results[given] = undefined;
  }
}

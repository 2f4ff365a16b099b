/** A queue with an async iterator: `items` yields what is pushed, in order, until `end`. */
export interface Feed<T> {
  readonly push: (item: T) => void;
  readonly end: () => void;
  readonly items: AsyncGenerator<T>;
}

export function feed<T>(): Feed<T> {
  let waiting: T[] = [];
  let ended = false;
  let wake = () => {};
  async function* items(): AsyncGenerator<T> {
    for (;;) {
      const batch = waiting;
      waiting = [];
      yield* batch;
      if (waiting.length > 0) continue;
      if (ended) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  return {
    push: (item) => {
      waiting.push(item);
      wake();
    },
    end: () => {
      ended = true;
      wake();
    },
    items: items(),
  };
}

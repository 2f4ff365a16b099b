/** Values that come one by one, for one reader. */
export interface Queue<T> {
  readonly put: (value: T) => void;
  readonly end: () => void;
  readonly fail: (error: unknown) => void;
  /** The values that are put from now on; `onLeave` is called when the reader leaves. */
  readonly read: (onLeave: () => void) => AsyncIterator<T>;
}

export function queue<T>(): Queue<T> {
  const values: T[] = [];
  let isRead = false;
  let ended: { readonly error?: unknown } | undefined;
  let wake = Promise.withResolvers<void>();
  const change = (): void => {
    wake.resolve();
    wake = Promise.withResolvers<void>();
  };
  const end = (how: { readonly error?: unknown }): void => {
    ended ??= how;
    change();
  };
  const left = (): boolean => ended === undefined || values.length > 0;
  async function* reader(onLeave: () => void): AsyncGenerator<T> {
    try {
      while (left()) {
        yield* values.splice(0);
        if (left() && values.length === 0) await wake.promise;
      }
    } finally {
      onLeave();
    }
    if (ended !== undefined && 'error' in ended) throw ended.error;
  }
  return {
    put(value) {
      if (isRead) values.push(value);
      change();
    },
    end: () => end({}),
    fail: (error) => end({ error }),
    read(onLeave) {
      isRead = true;
      return reader(onLeave);
    },
  };
}

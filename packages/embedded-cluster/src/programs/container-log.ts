/** What a container has written, as its runtime keeps it: whole lines, each with an instant of its own. */
export interface ContainerLog {
  /** Text of standard output or standard error, taken at that instant (epoch milliseconds). */
  write(text: string, at: number): void;
  /** The container has ended. */
  end(): void;
  lines(): readonly LogLine[];
  /**
   * Resolves when there are more lines than `count`, or the container has ended; true if it has, with no further line.
   */
  more(count: number): Promise<boolean>;
}

export interface LogLine {
  /** Epoch milliseconds, and nanoseconds of that millisecond. */
  readonly at: number;
  readonly nanoseconds: number;
  readonly text: string;
}

export function containerLog(): ContainerLog {
  const lines: LogLine[] = [];
  let rest = '';
  let ended = false;
  let grown = Promise.withResolvers<void>();
  const wake = (): void => {
    grown.resolve();
    grown = Promise.withResolvers();
  };
  return {
    write(text, at) {
      if (ended) return;
      const whole = (rest + text).split('\n');
      rest = whole.pop() ?? '';
      for (const line of whole) lines.push({ at, nanoseconds: nextIn(lines, at), text: line });
      if (whole.length > 0) wake();
    },
    end() {
      ended = true;
      wake();
    },
    lines: () => lines,
    async more(count) {
      while (lines.length <= count && !ended) await grown.promise;
      return lines.length <= count;
    },
  };
}

/** Lines of one millisecond are a nanosecond apart. */
function nextIn(lines: readonly LogLine[], at: number): number {
  const last = lines.at(-1);
  return last?.at === at ? last.nanoseconds + 1 : 0;
}

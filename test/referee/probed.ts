/** One request of the independent prober. */
export interface Probed {
  /** When it was started, epoch milliseconds. */
  readonly at: number;
  /** 0 without an answer. */
  readonly status: number;
  readonly seconds: number;
  readonly error?: string;
}

/** What the prober saw in a span of time. */
export interface Traffic {
  readonly samples: number;
  readonly bad: number;
  /** Of each run of bad samples: from the start of its first to the start of the next good one, summed. */
  readonly downtimeSeconds: number;
  /** Bad samples of each kind: a status, `slow`, or `none` without an answer. */
  readonly kinds: Readonly<Record<string, number>>;
}

/** Not a 200, or slower than this, as the product's default. */
const slowSeconds = 1;

export const isBad = ({ status, seconds }: Probed): boolean => status !== 200 || seconds > slowSeconds;

/** The lines that the prober wrote, by their start. A torn last line is left out. */
export function readProbed(text: string): readonly Probed[] {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const samples = whole.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Probed]));
  return samples.sort((a, b) => a.at - b.at);
}

/** The samples that began within the span. An outage that is open at its end counts up to the last sample. */
export function trafficIn(
  samples: readonly Probed[],
  { from, to }: { readonly from: number; readonly to: number },
): Traffic {
  const inside = samples.filter(({ at }) => at >= from && at <= to);
  const bad = inside.filter(isBad);
  const kinds: Record<string, number> = {};
  for (const sample of bad) kinds[kindOf(sample)] = (kinds[kindOf(sample)] ?? 0) + 1;
  return { samples: inside.length, bad: bad.length, downtimeSeconds: downtimeOf(inside), kinds };
}

function kindOf({ status }: Probed): string {
  if (status === 0) return 'none';
  return status === 200 ? 'slow' : String(status);
}

function downtimeOf(samples: readonly Probed[]): number {
  let [total, since] = [0, Number.NaN];
  for (const sample of samples) {
    if (isBad(sample)) since = Number.isNaN(since) ? sample.at : since;
    else if (!Number.isNaN(since)) {
      total += sample.at - since;
      since = Number.NaN;
    }
  }
  if (!Number.isNaN(since)) total += (samples.at(-1)?.at ?? since) - since;
  return total / 1000;
}

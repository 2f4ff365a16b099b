/** The first line of a snapshot. */
export interface SnapshotHeader {
  /** Epoch milliseconds. */
  readonly takenAt: number;
  readonly kubernetes: string | undefined;
  /** How many objects of each kind follow; a kind that could not be read is not here. */
  readonly kinds: Readonly<Record<string, number>>;
  /** The namespaces that alone were read; none: all of them. */
  readonly namespaces: readonly string[];
}

/** The header that a line is; undefined for an object. */
export function headerOf(value: object): SnapshotHeader | undefined {
  const { holdfast, takenAt, kubernetes, kinds, namespaces } = value as Readonly<Record<string, unknown>>;
  if (holdfast !== 'snapshot') return undefined;
  const at = typeof takenAt === 'string' ? Date.parse(takenAt) : Number.NaN;
  const counts = Object.entries(Object(kinds)).filter((entry): entry is [string, number] => Number.isInteger(entry[1]));
  return {
    takenAt: Number.isNaN(at) ? 0 : at,
    kubernetes: typeof kubernetes === 'string' ? kubernetes : undefined,
    kinds: Object.fromEntries(counts),
    namespaces: Array.isArray(namespaces) ? namespaces.filter((name) => typeof name === 'string') : [],
  };
}

export function headerLine({ takenAt, kubernetes, kinds, namespaces }: SnapshotHeader): string {
  const at = new Date(takenAt).toISOString();
  return `${JSON.stringify({ holdfast: 'snapshot', version: 1, takenAt: at, kubernetes, kinds, namespaces })}\n`;
}

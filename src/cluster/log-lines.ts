/**
 * A line of a pod's log with the instant at which the container runtime took it: seconds since the epoch, and
 * nanoseconds of that second.
 */
export interface TimedLine {
  readonly second: number;
  readonly nanosecond: number;
  readonly text: string;
}

/** How far a log was read: the instant of the last line, and how many lines of that instant have come. */
export interface LogPlace {
  readonly second: number;
  readonly nanosecond: number;
  readonly lines: number;
}

/**
 * RFC 3339 with up to nine digits of a second, in the zone of the node, as the kubelet writes it in front of a line
 * with `timestamps=true`.
 */
const stamp = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d) ?/;

/** Undefined for a line without a time, such as the kubelet's own message about a log that it cannot read. */
export function timedLine(line: string): TimedLine | undefined {
  const [head, time, fraction = '', zone] = stamp.exec(line) ?? [];
  if (head === undefined) return undefined;
  const second = Date.parse(`${time}${zone}`) / 1000;
  if (Number.isNaN(second)) return undefined;
  const text = line.slice(head.length).replace(/\r$/, '');
  return { second, nanosecond: Number(fraction.padEnd(9, '0')), text };
}

/** The place behind that line. */
export function placeIn(place: LogPlace | undefined, { second, nanosecond }: TimedLine): LogPlace {
  const lines = place !== undefined && compare(place, { second, nanosecond }) === 0 ? place.lines + 1 : 1;
  return { second, nanosecond, lines };
}

/**
 * For one stream that begins at or before the place: whether each line is behind it. Lines of one instant are
 * distinguished by their number, which is the same whenever the log is read.
 */
export function afterResume(place: LogPlace | undefined): (line: Omit<TimedLine, 'text'>) => boolean {
  let again = 0;
  return (line) => {
    if (place === undefined) return true;
    const order = compare(line, place);
    if (order !== 0) return order > 0;
    again += 1;
    return again > place.lines;
  };
}

type Instant = Pick<TimedLine, 'second' | 'nanosecond'>;

const compare = (a: Instant, b: Instant): number => a.second - b.second || a.nanosecond - b.nanosecond;

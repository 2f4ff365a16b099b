import { readValue, recordTypes } from '../../host/dns-message.ts';
import type { RecordType } from '../../host/host.ts';
import type { RecordSet } from '../cloud.ts';
import { classes, type WireRecord } from './message.ts';

/** A record set as it is kept in a journal: the data in base64, so that it is restored byte for byte. */
interface Whole {
  readonly name: string;
  readonly type: RecordType;
  readonly ttlSeconds: number;
  readonly data: readonly string[];
}

/** The records of one name and type as a set; undefined without a record. */
export function recordSet(name: string, type: RecordType, records: readonly WireRecord[]): RecordSet | undefined {
  const [first] = records;
  if (first === undefined) return undefined;
  const { ttlSeconds } = first;
  const whole: Whole = { name, type, ttlSeconds, data: records.map(({ data }) => data.toString('base64')) };
  return {
    name,
    type,
    ttlSeconds,
    values: records.map((record) => textOf(type, record)),
    whole: JSON.stringify(whole),
  };
}

/** The strings of a TXT stand in quotes, as Route 53 and zone files have them. */
function textOf(type: RecordType, { data }: WireRecord): string {
  const text = readValue(data, type, 0, data.length);
  return type === 'TXT' ? JSON.stringify(text) : text;
}

/** The records of a set that `recordSet` made. */
export function recordsOf({ whole }: Pick<RecordSet, 'whole'>): readonly WireRecord[] {
  const { name, type, ttlSeconds, data }: Whole = JSON.parse(whole);
  return data.map((base64) => ({
    name,
    type: recordTypes[type],
    class: classes.IN,
    ttlSeconds,
    data: Buffer.from(base64, 'base64'),
  }));
}

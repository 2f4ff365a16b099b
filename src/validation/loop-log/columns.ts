/** What a column of a loop's log holds. */
export const columnNames = [
  'time',
  'status',
  'total',
  'total_ms',
  'total_us',
  'total_ns',
  'state',
  'exit',
  'target',
  '_',
] as const;
export type Column = (typeof columnNames)[number];

/** Seconds in the unit of each column that is the time of an answer. */
export const totalUnits: Partial<Readonly<Record<Column, number>>> = {
  total: 1,
  total_ms: 1e-3,
  total_us: 1e-6,
  total_ns: 1e-9,
};

/** The names of curl's variables stand for ours; those of its phases, sizes and addresses are skipped. */
const fromCurl: Readonly<Record<string, Column>> = {
  date: 'time',
  timestamp: 'time',
  code: 'status',
  http_code: 'status',
  response_code: 'status',
  time_total: 'total',
  total_s: 'total',
  exitcode: 'exit',
  url: 'target',
  host: 'target',
};
const skipped =
  /^(-|skip|time_\w+|dns|connect|tls|ttfb|firstbyte|size\w*|bytes|speed\w*|num_\w+|remote_\w+|local_\w+|ip|port|http_version|method|scheme|content_type|ssl_\w+)$/;

/** Reads `time,status,total`; what cannot be read is a sentence. */
export function parseColumns(text: string): { readonly columns: readonly Column[] } | { readonly mistake: string } {
  const words = text.split(',').map((word) => word.trim().toLowerCase());
  const columns = words.map(columnOf);
  const unknown = words.find((_, index) => columns[index] === undefined);
  if (unknown !== undefined)
    return {
      mistake: `has '${unknown}': a column is ${columnNames.slice(0, -1).join(', ')}, or _ for one that does not count`,
    };
  const known = columns.filter((column) => column !== undefined);
  return { columns: known, ...lacking(known) };
}

function columnOf(word: string): Column | undefined {
  if ((columnNames as readonly string[]).includes(word)) return word as Column;
  return fromCurl[word] ?? (skipped.test(word) ? '_' : undefined);
}

function lacking(columns: readonly Column[]): { readonly mistake?: string } {
  const count = (...names: readonly Column[]) => columns.filter((column) => names.includes(column)).length;
  if (count('time') !== 1)
    return { mistake: `has ${count('time') === 0 ? 'no' : 'more than one'} time: a log without times shows no outage` };
  if (count('status', 'state', 'exit') === 0)
    return { mistake: 'has no status, state or exit: one of them says what failed' };
  const twice = count('total', 'total_ms', 'total_us', 'total_ns') > 1 || count('status') > 1 || count('target') > 1;
  return twice ? { mistake: 'names status, total or target more than once' } : {};
}

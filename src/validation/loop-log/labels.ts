/** What a number is, by the word before it. */
export type Meaning = 'status' | 'total' | 'time' | 'first-byte' | 'exit' | 'other' | 'unknown';

/**
 * Columns by the words that scripts put before them, and by the names of curl's variables (curl(1), `--write-out`). The
 * first that fits counts.
 */
const meanings: readonly (readonly [Meaning, RegExp])[] = [
  ['exit', /^(exit([_-]?(code|status))?|exitcode|rc|errno|curl[_-]?(exit|rc|code|ret))$/],
  ['total', /^(time[_-]?total|total([_-]?time)?)([_-]?(s|secs?|seconds|ms|us|ns))?$/],
  ['status', /^(https?|http\/[\d.]+|(http[_-]?)?(status|response|resp|return|ret)?[_-]?code|(http[_-]?)?status|sc)$/],
  [
    'time',
    /^(time|took|taken|in|t|rt|rtt|elapsed|dur|duration|latency|lat|(resp(onse)?|req(uest)?)[_-]?time)([_(-]?(s|secs?|seconds|millis|ms|us|ns)\)?)?$|^(secs?|seconds|ms|millis(econds)?)$/,
  ],
  ['first-byte', /^(ttfb|first[_-]?byte|(time_)?starttransfer)([_-]?(s|ms|us))?$/],
  [
    'other',
    /^(for|every|each|interval|sleep|timeout|threshold|limit|expected|wanted|since|avg|average|mean|min|max|median|p\d\d|stddev|jitter|uptime|downtime|availability|avail|time_(namelookup|connect|appconnect|pretransfer|posttransfer|redirect|queue)|dns|lookup|namelookup|connect|tcp|tls|ssl|appconnect|pretransfer|redirect|redirects|num_\w+|size\w*|bytes?|len(gth)?|content[_-]?length|speed\w*|port|\w+_port|seq|icmp_seq|ttl|n|no|nr|num|count|counter|try|tries|attempt|retry|retries|req|request|iteration|i|id|pid|worker|job|line|load|cpu|mem|http_version|ssl_verify_result|http_connect)$/,
  ],
];

/** Undefined for a word that says nothing of the number behind it. */
export function meaningOf(label: string): Meaning | undefined {
  const small = label.toLowerCase();
  return meanings.find(([, pattern]) => pattern.test(small))?.[0];
}

/** Seconds in each unit of time. */
const units: Readonly<Record<string, number>> = { s: 1, ms: 1e-3, us: 1e-6, ns: 1e-9 };
const unitNames: readonly (readonly [keyof typeof units, RegExp])[] = [
  ['s', /^s(ecs?|econds?)?$/i],
  ['ms', /^(ms(ecs?)?|millis(econds?)?)$/i],
  ['us', /^([uµμ]s(ecs?)?|micros(econds?)?)$/i],
  ['ns', /^(ns(ecs?)?|nanos(econds?)?)$/i],
];

/** Seconds in that unit; NaN for one of something else, such as `KB` or `%`; undefined for a word that is no unit. */
export function secondsOf(unit: string): number | undefined {
  const name = unitNames.find(([, pattern]) => pattern.test(unit))?.[0];
  if (name !== undefined) return units[name];
  return /^(%|[kKMG]?i?[bB](yte)?s?(\/s(ec)?)?|m(in)?|h|requests?|req|hops?|times?)$/.test(unit)
    ? Number.NaN
    : undefined;
}

/** The unit that a label ends with, as `time_ms`, `elapsedMs` and `latency(us)`. */
export function unitOfLabel(label: string): number | undefined {
  const [, unit] = /(?:^|[_(-])(s|secs?|seconds|ms|millis(?:econds)?|us|ns)\)?$/.exec(label.toLowerCase()) ?? [];
  const [camel] = /(?<=[a-z])(Secs?|Seconds|Ms|Millis|Us|Ns)$/.exec(label) ?? [];
  return unit === undefined && camel === undefined ? undefined : secondsOf(unit ?? camel ?? '');
}

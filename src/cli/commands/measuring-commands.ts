import type { CommandEntry, CommandOption } from '../command/command.ts';

/** With curl's names and meanings; each is a key of a target in `--targets` too. */
const requestFlags: readonly CommandOption[] = [
  {
    flags: '-H, --header <header>',
    summary: `'Name: value', again for more; \${NAME} comes from the environment, and no value is written`,
    repeats: true,
  },
  { flags: '-X, --request <method>', summary: 'the method (default GET, POST with -d)' },
  { flags: '-I, --head', summary: 'ask for the head of the answer alone' },
  {
    flags: '-d, --data <data>',
    summary: 'the body of the request, @FILE for what a file holds; several are joined by &',
    repeats: true,
  },
  { flags: '--compressed', summary: 'ask for a compressed body (deflate, gzip, br, zstd)' },
  { flags: '--http2', summary: 'speak HTTP/2, to https:// where the server chooses it' },
  { flags: '-E, --cert <file>', summary: 'the certificate of the client, in PEM' },
  { flags: '--key <file>', summary: 'its key (default: in the file of --cert)' },
  { flags: '--unix-socket <path>', summary: 'connect to this socket of this machine' },
  {
    flags: '--resolve <host:port:address>',
    summary: 'connect there without a look-up; several addresses with commas, again for more hosts',
    repeats: true,
  },
  { flags: '--cacert <file>', summary: 'trust the authorities in this file, and no others' },
  { flags: '-k, --insecure', summary: 'accept any certificate' },
  { flags: '-4, --ipv4', summary: 'connect to addresses of IPv4 alone' },
  { flags: '-6, --ipv6', summary: 'connect to addresses of IPv6 alone' },
  {
    flags: '--proxy <url>',
    summary:
      "go by this http://, socks5:// or socks5h:// proxy, or by none if '' (default: HTTP_PROXY, HTTPS_PROXY, ALL_PROXY)",
  },
  { flags: '-L, --location', summary: 'follow redirects' },
  { flags: '--max-redirs <n>', summary: 'follow so many at most, -1 for any number (default 50)' },
  { flags: '--body-contains <text>', summary: 'text, or /regular expression/, that a good answer contains' },
];

/** The options that make sense for many requests of one kind. */
const loadRequestFlags = requestFlags.filter(
  ({ flags }) => !/--(location|max-redirs|body-contains|http2)\b/.test(flags),
);

/** Commands that measure a target without a cluster. */
export const measuringCommands: readonly CommandEntry[] = [
  {
    name: 'monitor',
    summary: 'run the downtime monitor alone: one probe a second, on schedule',
    arguments: [{ name: '[url]', summary: 'the http:// or https:// address to probe' }],
    options: [
      { flags: '--log <file>', summary: 'append to this downtime log; - is standard output (default downtime.log)' },
      { flags: '--interval <duration>', summary: 'time between the starts of two probes (default 1s)' },
      { flags: '--edges <duration>', summary: 'faster probes, for the ends of an outage (default 0: none)' },
      { flags: '--no-reused', summary: 'make no probes on kept connections, which are half of the work' },
      { flags: '--timeout <duration>', summary: 'time after which a probe has failed (default 10s)' },
      { flags: '--slow <duration>', summary: 'a slower answer counts as downtime (default 1s)' },
      { flags: '--expect <statuses>', summary: 'the status of a good answer, or several: 200,204,3xx (default 200)' },
      { flags: '--body <text>', summary: 'what the first line of a good page’s visible text begins with' },
      { flags: '--duration <duration>', summary: 'stop after this time (default: when stopped)' },
      {
        flags: '--rotate <when>',
        summary: 'begin a new log file at this size, such as 100MB, or daily (default: never)',
      },
      {
        flags: '--keep-size <size>',
        summary: 'remove the oldest rotated files above this size of all (default: keep)',
      },
      { flags: '--keep-age <age>', summary: 'remove rotated files that are older, such as 90d (default: keep)' },
      { flags: '--target <url...>', summary: 'probe these addresses too, asked in the same way' },
      { flags: '--targets <file>', summary: 'probe those of this YAML or JSON list too, each with options of its own' },
      ...requestFlags,
      {
        flags: '--max-unknown <share>',
        summary: 'exit 4 where more of the probes is unknown (default: 5%, and then without an outage)',
      },
      {
        flags: '--alert-after <n>',
        summary: 'bad samples in a row before the notifiers of the settings are told (default 3)',
      },
      { flags: '--metrics <address>', summary: 'serve Prometheus metrics here; :9100 is port 9100 of loopback' },
    ],
    load: async () => (await import('./monitor.ts')).monitor,
  },
  {
    name: 'analyze',
    summary: 'list the outages in a downtime log of holdfast or of a curl loop',
    arguments: [
      {
        name: '<log...>',
        summary: 'the downtime log with its rotated files, or those of several probers; - is standard input',
      },
    ],
    options: [
      {
        flags: '--rule <rule>',
        summary: 'with several logs: down when any prober is (default), all are, or most are',
      },
      { flags: '--slow <duration>', summary: 'a slower answer counts as downtime (default: the log’s own, or 1s)' },
      {
        flags: '--expect <statuses>',
        summary: 'the status of a good answer, or several: 200,204,3xx (default: the log’s own, or 200)',
      },
      {
        flags: '--columns <names>',
        summary: 'of a loop’s log: what its columns hold, such as time,status,_,total (default: learnt from its lines)',
      },
      {
        flags: '--max-unknown <share>',
        summary: 'exit 4 where more of the probes is unknown (default: 5%, and then without an outage)',
      },
      { flags: '--from <time>', summary: 'ignore samples before this time (ISO 8601, UTC without an offset)' },
      { flags: '--to <time>', summary: 'ignore samples after this time' },
    ],
    load: async () => (await import('./analyze.ts')).analyze,
  },
  {
    name: 'load',
    summary: 'make many requests from here: what came back, and how fast',
    arguments: [{ name: '<url>', summary: 'the http:// or https:// address' }],
    options: [
      { flags: '--requests <n>', summary: 'how many (default 20000, or what the rate makes in the duration)' },
      { flags: '--concurrency <n>', summary: 'so many at once, each on a connection that is kept (default 500)' },
      {
        flags: '--rate <rate>',
        summary: 'so many a second, such as 300/s; the time of each counts from when it was due (default: as answered)',
      },
      { flags: '--duration <duration>', summary: 'stop after this time' },
      { flags: '--timeout <duration>', summary: 'time after which a request has failed (default 10s)' },
      { flags: '--expect <statuses>', summary: 'the status of a good answer, or several: 200,204,3xx (default 200)' },
      ...loadRequestFlags,
    ],
    load: async () => (await import('./load.ts')).load,
  },
];

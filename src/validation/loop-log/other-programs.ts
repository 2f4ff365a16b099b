/** The logs of programs that are known, and are no loop's of HTTP requests. */
const programs: readonly (readonly [name: string, line: RegExp, because: string])[] = [
  [
    'fping',
    /: \[\d+\], .*(\d+ bytes, .* ms|timed out) ?(\(.* avg, \d+% loss\))?|: xmt\/rcv\/%loss|^ICMP .* sent to /,
    'echoes say nothing of HTTP',
  ],
  [
    'httping',
    /^PING \S+:\d+ \(|\bconnected to .*\bseq=\d+ time=|\bcould not connect to .*seq=\d+/,
    'httping counts requests and not seconds',
  ],
  [
    'ping',
    /^PING \S+ \(|\bbytes from .*(icmp_seq|icmp_req|ttl)=|\bicmp_seq[= ]\d+|packets transmitted|^Reply from .* bytes=\d+|^Request timed out\./,
    'echoes say nothing of HTTP',
  ],
  [
    'the blackbox exporter',
    /\bprobe_(success|duration_seconds|http_status_code)\b|\bmodule=\S+.*\bmsg="?(Beginning probe|Probe (succeeded|failed)|Received HTTP response)/,
    'its results are in Prometheus',
  ],
  [
    'a web server (an access log)',
    /^\S+ \S+ \S+ \[\d\d\/[A-Z][a-z]{2}\/\d{4}:[\d:]+ [+-]\d{4}\] "[A-Z]+ \S+ HTTP\/[\d.]+" \d{3} /,
    'a server that is down logs nothing',
  ],
  ['tcping', /\btcp response from .*\bport \d+|\bseq \d+: (tcp|no) response/i, 'a connection says nothing of HTTP'],
];

/** So many of its lines make a log that of another program. */
const leastShare = 0.2;

/** The program that wrote most of a log, and why its log does not show downtime; undefined for any other. */
export function otherProgram(
  lines: readonly string[],
): { readonly name: string; readonly because: string } | undefined {
  const found = programs.find(
    ([, line]) => lines.filter((text) => line.test(text)).length >= leastShare * lines.length,
  );
  return found === undefined || lines.length === 0 ? undefined : { name: found[0], because: found[2] };
}

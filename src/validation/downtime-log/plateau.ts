/** The phases of a bad sample, in seconds, as its line has them. */
export type PhaseSeconds = Readonly<Partial<Record<'dns' | 'connect' | 'firstByte', number>>>;

/** What waited before an answer came, where the time that it took says so. */
export type Plateau = 'resolver-retry' | 'lost-syn' | 'upstream-connect-timeout' | 'lost-syn-behind';

interface Known {
  readonly plateau: Plateau;
  readonly phase: keyof PhaseSeconds;
  readonly seconds: readonly number[];
}

/**
 * RFC 6298, section 2: the first retransmission comes after 1 s, and each later one after twice as long: 1, 3, 7 s
 * after the first SYN.
 */
const retransmissions = [1, 3, 7];
/**
 * Linux 6.5 and later sends the first four again after a second each (ip-sysctl, tcp_syn_linear_timeouts): 1, 2, 3, 4,
 * 5 and 7 s after the first SYN.
 */
const retransmissionsOfLinux = [1, 2, 3, 4, 5, 7];
const known: readonly Known[] = [
  // resolv.conf(5), timeout: the next attempt after 5 s.
  { plateau: 'resolver-retry', phase: 'dns', seconds: [5, 10] },
  { plateau: 'lost-syn', phase: 'connect', seconds: retransmissionsOfLinux },
  // ingress-nginx, ConfigMap: proxy-connect-timeout is 5 s; then the next upstream is tried
  // (docs/facts/ingress-nginx.md).
  { plateau: 'upstream-connect-timeout', phase: 'firstByte', seconds: [5, 10] },
  { plateau: 'lost-syn-behind', phase: 'firstByte', seconds: retransmissions },
];

/** An answer comes a little after what was waited for: a round trip, and the work of the server. */
const laterSeconds = 0.15;

/** The plateau on which a sample lies; undefined if on none. */
export function plateauOf(phases: PhaseSeconds): Plateau | undefined {
  return known.find(({ phase, seconds }) => {
    const took = phases[phase];
    return took !== undefined && seconds.some((step) => took >= step && took <= step + laterSeconds);
  })?.plateau;
}

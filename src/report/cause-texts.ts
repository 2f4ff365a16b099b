/** What the plateaus of answer times mean, for people; reasons such as NXDOMAIN or expired speak for themselves. */
export const causeTexts: Readonly<Record<string, string>> = {
  'resolver-retry': 'look-ups of 5 s: the first name server did not answer (resolv.conf)',
  'lost-syn': 'connections after 1, 2, 3, 4, 5 or 7 s: their first SYN was lost (RFC 6298)',
  'upstream-connect-timeout': 'answers after 5 s: the ingress waited to connect upstream',
  'lost-syn-behind': 'answers after 1, 3 or 7 s: a SYN behind the server was lost (RFC 6298)',
};

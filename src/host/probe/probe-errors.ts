/** Why a request got no whole response: the words behind `error=` of the downtime log (docs/contract.md). */
export const probeErrors = [
  'dns',
  'refused',
  'connect-timeout',
  'connect',
  'tls',
  'reset',
  'protocol',
  'timeout',
  'body',
] as const;

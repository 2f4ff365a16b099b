import type { Listening } from '../../rehearsal/listen/listen.ts';

/** What other programs have to be told to find the served cluster. */
export interface ListenSettings {
  readonly kubeconfig: string;
  readonly apiServer: string;
  /** For `curl --connect-to`. */
  readonly connectTo: string;
  /** The application's. */
  readonly url: string;
  /** `address:port` of the resolver and of the zone's authoritative server. */
  readonly resolver: string;
  readonly nameServer: string;
  /** The cluster's own addresses are served: curl and dig need not be told where it is. */
  readonly atOwnAddresses: boolean;
  readonly environment: Readonly<Record<string, string>>;
}

export function settingsOf(
  kubeconfig: string,
  url: string,
  { ports, atOwnAddresses }: Pick<Listening, 'ports' | 'atOwnAddresses'>,
): ListenSettings {
  const at = (port: number) => `127.0.0.1:${port}`;
  return {
    kubeconfig,
    apiServer: `https://${at(ports.api)}`,
    connectTo: `::${at(ports.application)}`,
    url,
    resolver: at(ports.resolver),
    nameServer: at(ports.nameServer),
    atOwnAddresses,
    environment: {
      KUBECONFIG: kubeconfig,
      AWS_ENDPOINT_URL_EC2: `http://${at(ports.ec2)}`,
      AWS_ENDPOINT_URL_ROUTE_53: `http://${at(ports.route53)}`,
      AWS_REGION: 'us-east-1',
      // Signatures are asked for by the SDK and checked by nobody here.
      AWS_ACCESS_KEY_ID: 'rehearsal',
      AWS_SECRET_ACCESS_KEY: 'rehearsal',
    },
  };
}

/** The same as lines for a shell. */
export function listenText({
  atOwnAddresses,
  connectTo,
  url,
  resolver,
  nameServer,
  environment,
}: ListenSettings): string {
  const exports = Object.entries(environment).map(([name, value]) => `export ${name}='${value}'`);
  return `# The embedded cluster, in real time. Ctrl-C ends it.
${exports.join('\n')}
kubectl get nodes
${atOwnAddresses ? `curl ${url}` : `curl --connect-to ${connectTo} ${url}`}
${atOwnAddresses ? `dig ${new URL(url).hostname}` : dig(resolver, url)}
${dig(nameServer, url)} +norecurse
`;
}

function dig(server: string, url: string): string {
  const [address, port] = server.split(':');
  return `dig @${address} -p ${port} ${new URL(url).hostname}`;
}

import type { Listening } from '@holdfast/embedded-cluster';

/** What other programs need to find the served cluster; `--json` prints it. */
export interface ListenSettings {
  readonly kubeconfig: string;
  readonly apiServer: string;
  /** For `curl --connect-to`. */
  readonly connectTo: string;
  /** The application's address. */
  readonly url: string;
  /** `address:port` of the resolver and of the zone's authoritative server. */
  readonly resolver: string;
  readonly nameServer: string;
  /** The command that enters the network namespace in which the application's name resolves, or why there is none. */
  readonly namespace: { readonly enter: readonly string[] } | { readonly because: string };
  readonly environment: Readonly<Record<string, string>>;
}

export function settingsOf(
  kubeconfig: string,
  url: string,
  { ports, namespace = { because: 'none was asked for' } }: Pick<Listening, 'ports' | 'namespace'>,
): ListenSettings {
  const at = (port: number) => `127.0.0.1:${port}`;
  return {
    kubeconfig,
    apiServer: `https://${at(ports.api)}`,
    connectTo: `::${at(ports.application)}`,
    url,
    resolver: at(ports.resolver),
    nameServer: at(ports.nameServer),
    namespace: 'enter' in namespace ? { enter: namespace.enter } : namespace,
    environment: {
      KUBECONFIG: kubeconfig,
      AWS_ENDPOINT_URL_EC2: `http://${at(ports.ec2)}`,
      AWS_ENDPOINT_URL_ROUTE_53: `http://${at(ports.route53)}`,
      AWS_REGION: 'us-east-1',
      // The SDK signs with these; the embedded cloud does not check signatures.
      AWS_ACCESS_KEY_ID: 'rehearsal',
      AWS_SECRET_ACCESS_KEY: 'rehearsal',
    },
  };
}

/** The same as lines for a shell. */
export function listenText(settings: ListenSettings): string {
  const { namespace, nameServer, url, environment } = settings;
  const exports = Object.entries(environment).map(([name, value]) => `export ${name}='${value}'`);
  return `# Serving the embedded cluster in real time. Ctrl-C stops it.
# In another shell:
${exports.join('\n')}
kubectl get nodes
${'enter' in namespace ? inNamespace(namespace.enter, url) : outside(namespace.because, settings)}
# The name server of the zone answers everywhere:
${dig(nameServer, url)} +norecurse
`;
}

const inNamespace = (
  enter: readonly string[],
  url: string,
): string => `# The application's name resolves only in this shell:
${enter.join(' ')} bash
curl ${url}
dig ${new URL(url).hostname}
holdfast validate --yes --allow-terminate`;

const outside = (because: string, { connectTo, resolver, url }: ListenSettings): string =>
  `# There is no network namespace (${because}),
# so name the address of the application and of the DNS resolver yourself:
curl --connect-to ${connectTo} ${url}
${dig(resolver, url)}`;

function dig(server: string, url: string): string {
  const [address, port] = server.split(':');
  return `dig @${address} -p ${port} ${new URL(url).hostname}`;
}

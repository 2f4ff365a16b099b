import type { Cluster, KubeConfig } from '@kubernetes/client-node';
import { OperationError, UsageError } from '../host/errors.ts';
import type { Host, TlsOptions } from '../host/host.ts';
import { type KubeconfigChoice, loadKubeconfig } from './kubeconfig.ts';
import type { Access } from './requests.ts';

/** How to reach a cluster. Only the names may be printed. */
export interface Credentials {
  readonly access: Access;
  readonly context: string;
  /** The namespace of the context; undefined if it has none. */
  readonly namespace: string | undefined;
}

type Surroundings = Pick<Host, 'clock' | 'files'>;

/**
 * Reads a kubeconfig by the official library, for every kind of user that it knows (certificate, token, exec, OIDC,
 * token file), and returns what `connect` needs. A missing file, context or cluster is a `UsageError`.
 */
export async function readCredentials(host: Surroundings, choice: KubeconfigChoice): Promise<Credentials> {
  const load = () => loadKubeconfig(host, choice);
  const config = await load();
  const cluster = config.getCurrentCluster();
  const context = config.getContextObject(config.getCurrentContext());
  if (cluster === null || context === null)
    throw new UsageError([`the context ${config.getCurrentContext()} names a cluster that is not in the kubeconfig.`]);
  return {
    access: {
      server: cluster.server,
      ...proxyOf(cluster),
      ...(isBare(cluster, choice) ? {} : lettingIn(host, config, load)),
    },
    context: context.name,
    namespace: context.namespace,
  };
}

/**
 * Whether the cluster is asked without credentials, so that no exec plugin is run either: over plain http they would be
 * read on the way, so that kubectl sends none (clientcmd, `getUserIdentificationPartialConfig`). A kubeconfig that the
 * command line names may send its own to this machine.
 */
function isBare({ server }: Cluster, { kubeconfig }: KubeconfigChoice): boolean {
  const { protocol, hostname } = new URL(server);
  const isHere = hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
  return protocol === 'http:' && !(isHere && kubeconfig !== undefined);
}

/** `proxy-url` wins over the environment, as with kubectl. The value is not printed: it may hold a password. */
function proxyOf({ name, proxyUrl }: Cluster): Pick<Access, 'proxy'> {
  if (proxyUrl === undefined || proxyUrl === '') return {};
  if (!/^https?:\/\/./i.test(proxyUrl))
    throw new UsageError([
      `the proxy-url of the cluster ${name} is no http:// or https:// address, and holdfast goes by no other proxy.`,
    ]);
  return { proxy: { url: proxyUrl, name: 'proxy-url' } };
}

/** An exec plugin may have to ask an identity provider. One that waits for a person runs into this limit. */
const credentialsWithinSeconds = 60;

/**
 * Asks the library before every request; it caches a token until it expires. After a refusal everything is read again.
 */
function lettingIn(
  host: Surroundings,
  first: KubeConfig,
  load: () => Promise<KubeConfig>,
): Pick<Access, 'headers' | 'tls'> {
  let config = first;
  let tls: TlsOptions = {};
  const asking = new Map<boolean, Promise<Readonly<Record<string, string>>>>();
  const ask = async (refused: boolean) => {
    if (refused) config = await load();
    const answer = await withinLimit(host, config);
    tls = answer.tls;
    return answer.headers;
  };
  return {
    headers: (refused) => {
      const answer = asking.get(refused) ?? ask(refused).finally(() => asking.delete(refused));
      asking.set(refused, answer);
      return answer;
    },
    tls: () => tls,
  };
}

async function withinLimit({ clock }: Surroundings, config: KubeConfig): Promise<Presented> {
  const done = new AbortController();
  const late = clock.sleep(credentialsWithinSeconds, done.signal).then(() => {
    throw noCredentials(config, `no answer within ${credentialsWithinSeconds} s`);
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([clock.hold('asking for credentials', () => present(config)), late]);
  } finally {
    done.abort();
  }
}

interface Presented {
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: TlsOptions;
}

/** What `applyToHTTPSOptions` sets; the library's own types are too wide. */
interface Options {
  headers?: Record<string, string>;
  auth?: string;
  ca?: Uint8Array | string;
  cert?: Uint8Array | string;
  key?: Uint8Array | string;
  servername?: string;
  rejectUnauthorized?: boolean;
}

async function present(config: KubeConfig): Promise<Presented> {
  const options: Options = {};
  try {
    await config.applyToHTTPSOptions(options as Parameters<KubeConfig['applyToHTTPSOptions']>[0]);
  } catch (cause) {
    const unreadable = cause instanceof SyntaxError;
    const said = cause instanceof Error ? cause.message.trim().slice(0, 300) : String(cause);
    throw noCredentials(config, unreadable ? 'what the program printed is no ExecCredential' : said || 'it failed');
  }
  const { headers = {}, auth, servername, rejectUnauthorized } = options;
  const basic = auth === undefined ? {} : { authorization: `Basic ${Buffer.from(auth).toString('base64')}` };
  return {
    headers: { ...headers, ...basic },
    tls: {
      ...texts(options),
      ...(servername === undefined ? {} : { servername }),
      ...(rejectUnauthorized === undefined ? {} : { rejectUnauthorized }),
    },
  };
}

function texts(options: Options): Pick<TlsOptions, 'ca' | 'cert' | 'key'> {
  const parts = (['ca', 'cert', 'key'] as const).flatMap((name) => {
    const value = options[name];
    return value === undefined ? [] : [[name, Buffer.from(value).toString('utf8')]];
  });
  return Object.fromEntries(parts);
}

function noCredentials(config: KubeConfig, reason: string): OperationError {
  const user = config.getCurrentUser();
  const program = user?.exec?.command;
  const on = `user ${user?.name ?? ''}${program === undefined ? '' : ` by ${program}`}`;
  const next = 'Try kubectl with the same context';
  return new OperationError({ tried: 'Getting the credentials of', on, reason, next });
}

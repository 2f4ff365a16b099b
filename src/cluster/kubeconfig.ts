import type { Context, KubeConfig, User } from '@kubernetes/client-node';
import { OperationError, UsageError } from '../host/errors.ts';
import type { Host } from '../host/host.ts';

/** Which cluster, by kubectl's rules. */
export interface KubeconfigChoice {
  /** `--kubeconfig`; absent: `KUBECONFIG`, then `~/.kube/config`, then the Pod's own service account. */
  readonly kubeconfig?: string | undefined;
  /** `--context`; absent: the current one. */
  readonly context?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The chosen kubeconfig with the chosen context as its current one. A missing file or context is a `UsageError`. */
export async function loadKubeconfig(
  { clock, files }: Pick<Host, 'clock' | 'files'>,
  choice: KubeconfigChoice,
): Promise<KubeConfig> {
  // Only commands for a real cluster need it.
  const { KubeConfig: Library, loadYaml } = await clock.hold('loading client-node', () => import('./client-node.ts'));
  const config = new Library();
  const found = await readFiles(files, choice);
  if (found.length === 0) config.loadFromCluster();
  else {
    const parts = found.map((file) => withTokenFiles(parsed(new Library(), file), file, loadYaml(file.text)));
    const currentContext = parts.find((part) => (part.currentContext ?? '') !== '')?.currentContext;
    config.loadFromOptions({
      // The library keeps the first entry of a name, as kubectl does when it merges files.
      clusters: parts.flatMap(({ clusters }) => clusters),
      users: parts.flatMap(({ users }) => users.map(instructed)),
      contexts: parts.flatMap(({ contexts }) => contexts),
      currentContext,
    });
    config.setCurrentContext(chosenContext(config.contexts, choice.context ?? currentContext, found));
  }
  for (const cluster of config.clusters)
    if (cluster.server.startsWith('http:')) Object.assign(cluster, { skipTLSVerify: true });
  return config;
}

interface KubeconfigFile {
  readonly path: string;
  readonly text: string;
}

/** By kubectl's rules: a missing file in the list of `KUBECONFIG` is skipped. Empty inside a Pod. */
async function readFiles(files: Host['files'], choice: KubeconfigChoice): Promise<readonly KubeconfigFile[]> {
  const { kubeconfig, environment } = choice;
  const list = kubeconfig ?? (environment.KUBECONFIG || `${environment.HOME ?? ''}/.kube/config`);
  const paths = kubeconfig === undefined ? list.split(':').filter((path) => path !== '') : [kubeconfig];
  const found = await Promise.all(paths.map(async (path) => ({ path, text: await textOf(files, path) })));
  const there = found.filter((file): file is KubeconfigFile => file.text !== undefined);
  const inPod = kubeconfig === undefined && environment.KUBERNETES_SERVICE_HOST !== undefined;
  if (there.length === 0 && !inPod)
    throw new UsageError([`there is no kubeconfig ${list}: name one with --kubeconfig or KUBECONFIG.`]);
  return there;
}

async function textOf(files: Host['files'], path: string): Promise<string | undefined> {
  try {
    return await files.read(path, { mayBePipe: true });
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    const { reason } = error.failure;
    throw new UsageError([
      `the kubeconfig ${path} cannot be read: ${reason}; name another one with --kubeconfig or KUBECONFIG.`,
    ]);
  }
}

function parsed(config: KubeConfig, file: KubeconfigFile): KubeConfig {
  const { path, text } = file;
  if (text.replaceAll(/^\s*#.*$/gm, '').trim() === '')
    throw new UsageError([`${path} is not a kubeconfig: it is empty.`]);
  try {
    config.loadFromString(text);
  } catch (cause) {
    throw new UsageError([`${path} is not a kubeconfig: ${mistakeOf(cause)}.`]);
  }
  const folder = folderOf(file);
  config.makePathsAbsolute(folder);
  for (const { exec } of config.users)
    if (exec?.command?.includes('/') && !exec.command.startsWith('/')) exec.command = `${folder}/${exec.command}`;
  return config;
}

/**
 * `tokenFile` of a user, which the library leaves out: it wins over `token`, and is read again as it changes
 * (client-go: tools/clientcmd/api).
 */
function withTokenFiles(config: KubeConfig, file: KubeconfigFile, written: unknown): KubeConfig {
  const { users = [] } = written as { readonly users?: readonly WrittenUser[] | null };
  const files = new Map((users ?? []).map(({ name, user }) => [name, user?.tokenFile]));
  const readOf = ({ token, ...user }: User): User => {
    const tokenFile = files.get(user.name);
    if (!tokenFile) return { ...user, ...(token !== undefined && { token }) };
    const path = tokenFile.startsWith('/') ? tokenFile : `${folderOf(file)}/${tokenFile}`;
    return { ...user, authProvider: { name: 'tokenFile', config: { tokenFile: path } } };
  };
  return Object.assign(config, { users: config.users.map(readOf) });
}

interface WrittenUser {
  readonly name: string;
  readonly user?: { readonly tokenFile?: string } | null;
}

const folderOf = ({ path }: KubeconfigFile): string =>
  path.includes('/') ? path.slice(0, path.lastIndexOf('/')) || '/' : '.';

/**
 * The library's message where it names a place or a file. The YAML parser's messages quote the file, which may be a
 * secret, and are left out.
 */
function mistakeOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'it cannot be read';
  if ('path' in cause) return `${cause.path} cannot be read`;
  if (/^\w+\[\d+\]/.test(cause.message)) return cause.message;
  return cause.name === 'YAMLException' ? 'it is not valid YAML' : 'it has no clusters, users and contexts';
}

/** The API client.authentication.k8s.io requires this variable, which the library does not set. */
function instructed(user: User): User {
  if (user.exec == null) return user;
  const apiVersion = user.exec.apiVersion ?? 'client.authentication.k8s.io/v1';
  const value = JSON.stringify({ apiVersion, kind: 'ExecCredential', spec: { interactive: false } });
  return { ...user, exec: { ...user.exec, env: [...(user.exec.env ?? []), { name: 'KUBERNETES_EXEC_INFO', value }] } };
}

function chosenContext(
  contexts: readonly Context[],
  wanted: string | undefined,
  files: readonly KubeconfigFile[],
): string {
  const where = files.map(({ path }) => path).join(', ');
  const known = [...new Set(contexts.map(({ name }) => name))];
  if (wanted === undefined || wanted === '')
    throw new UsageError([`${where} has no current context: choose one with --context (${known.join(', ')}).`]);
  if (known.includes(wanted)) return wanted;
  throw new UsageError([
    `there is no context ${wanted} in ${where}; ${known.length === 0 ? 'it has none' : `known are ${known.join(', ')}`}.`,
  ]);
}

import { asset } from '../../host/asset.ts';
import { OperationError } from '../../host/errors.ts';
import type { Command, CommandResult, Host } from '../../host/host.ts';
import { type Run, recordChild, runVariable, type Workspace } from '../run/run.ts';
import type { DeploymentSettings } from '../settings/settings.ts';

/** A commit that is served to this machine alone. */
export interface PrivateServer {
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** What PHP has written since the start: its own errors among it. */
  readonly output: () => Promise<string>;
}

/**
 * Serves the folder of the run by PHP's own server on a free port of the loopback address while `work` goes on. The
 * server has ended when the promise settles, and within a second after this process where that is killed. One that does
 * not start is an `OperationError`.
 */
export async function whileServed<T>(
  run: Run,
  isSecure: boolean,
  work: (server: PrivateServer) => Promise<T>,
): Promise<T> {
  const { host, settings } = run;
  const folder = serverFolder(run.checkout);
  await host.files.remove(folder);
  await host.files.makeFolder(folder, { mode: 0o700 });
  await host.files.replace(`${folder}/router.php`, asset(new URL('./router.php', import.meta.url)), { mode: 0o600 });
  const stop = new AbortController();
  const ended = host.run(watched(phpServer(settings, await rootIn(run), folder), `${folder}/output`), {
    cwd: run.checkout.directory,
    env: {
      ...settings.environment,
      [runVariable]: run.id,
      [serverVariable]: '1',
      HOLDFAST_HTTPS: isSecure ? 'on' : 'off',
    },
    timeoutSeconds: longestSeconds,
    signal: stop.signal,
    started: ({ pid }) => recordChild(run, pid),
  });
  ended.catch(() => undefined);
  try {
    const output = async () => (await host.files.read(`${folder}/output`)) ?? '';
    return await work({ origin: await originOf(run, output, ended), output });
  } finally {
    stop.abort();
    await ended;
    await host.files.remove(folder);
  }
}

/** Removes what a killed run has left of its server's files. */
export async function removeServerFiles({ host, checkout }: Pick<Workspace, 'host' | 'checkout'>): Promise<void> {
  await host.files.remove(serverFolder(checkout));
}

/** The variable that marks a command which does not end by itself. */
export const serverVariable = 'HOLDFAST_SERVER';

/**
 * A check of a release takes no longer; more than that is for whoever kills this process and the shell that watches it.
 */
const longestSeconds = 3600;
const startSeconds = 10;
const intervalSeconds = 0.02;

function serverFolder({ stateFolder }: Workspace['checkout']): string {
  return `${stateFolder}/private-server`;
}

/**
 * The first of the preset's folders that is there. Where none is, the first, with which PHP refuses to start: nothing
 * else is served instead.
 */
async function rootIn({ host, checkout, settings }: Workspace): Promise<string> {
  for (const root of settings.webRoots)
    if ((await host.files.stat(`${checkout.directory}/${root}`)) !== undefined) return root;
  return settings.webRoots[0] ?? '.';
}

/** PHP's own settings of the command line show errors to visitors, and PHP then answers 200 to a fatal one. */
function phpServer(settings: DeploymentSettings, root: string, folder: string): Command {
  const options = ['display_errors=0', 'log_errors=1', 'error_log='].flatMap((option) => ['-d', option]);
  return [phpOf(settings), ...options, '-S', '127.0.0.1:0', '-t', root, `${folder}/router.php`];
}

/** The PHP that builds the caches, also where the settings name it there alone. */
export function phpOf({ php, caches }: Pick<DeploymentSettings, 'php' | 'caches'>): string {
  return caches.rebuild.map(({ command: [program] }) => program).find((one) => /(?:^|\/)php[\d.]*$/.test(one)) ?? php;
}

/** The programs that it needs, where the settings ask for it. */
export function serverPrograms(settings: DeploymentSettings): readonly string[] {
  return settings.health.before ? [phpOf(settings)] : [];
}

/** A shell that ends the server when the process that has started it is gone: nobody else would. */
function watched(server: Command, output: string): Command {
  return ['sh', '-c', watching, 'sh', output, ...server];
}

const watching = `output=$1; shift
"$@" >"$output" 2>&1 &
server=$!
(while kill -0 "$PPID"; do sleep 0.5; done; kill "$server") >/dev/null 2>&1 &
watch=$!
wait "$server"; code=$?
kill "$watch"
exit "$code"
`;

/** PHP says which port it has got. */
async function originOf(
  { host, checkout, interruption }: Run,
  output: PrivateServer['output'],
  ended: Promise<CommandResult>,
): Promise<string> {
  const over = ended.then(() => true);
  const limitSeconds = host.clock.monotonicSeconds() + startSeconds;
  for (;;) {
    const [, origin] = /\((http:\/\/127\.0\.0\.1:[1-9]\d*)\) started/.exec(await output()) ?? [];
    if (origin !== undefined) return origin;
    const isOver = await Promise.race([over, pause(host)]);
    if (isOver || interruption.aborted || host.clock.monotonicSeconds() > limitSeconds) break;
  }
  const [line = 'it has said nothing'] = (await output()).trim().split('\n').slice(-1).filter(Boolean);
  throw new OperationError({ tried: "Starting PHP's own server", on: checkout.directory, reason: line });
}

async function pause({ clock }: Pick<Host, 'clock'>): Promise<false> {
  await clock.sleep(intervalSeconds);
  return false;
}

import { OperationError } from '../../host/errors.ts';
import type { Files, Host } from '../../host/host.ts';
import type { HiddenSite } from '../record/health.ts';
import type { HealthRules } from '../record/health-request.ts';
import { decodeAnswer, encodeRequest } from './fastcgi.ts';

/**
 * The status with which php-fpm itself answers a GET of the address, whatever a web server in front of it keeps: as
 * these pass requests for folders of the directory. A front controller is asked where the path is no script. Undefined
 * where nobody can be asked.
 */
export async function statusByPhp(
  host: PhpHost,
  { passes }: Pick<HiddenSite, 'passes'>,
  directory: string,
  url: string,
  rules: HealthRules,
): Promise<number | undefined> {
  for (const { roots, address } of passes)
    for (const path of roots) {
      const root = await host.files.realPath(path).catch(() => undefined);
      if (root !== directory && !root?.startsWith(`${directory}/`)) continue;
      const status = await askDoor(host, { root, address }, url, rules);
      if (status !== undefined) return status;
    }
  return undefined;
}

type PhpHost = Pick<Host, 'exchange' | 'files'>;

async function askDoor(
  host: PhpHost,
  { root, address }: { readonly root: string; readonly address: string },
  url: string,
  { timeout, headers = [] }: HealthRules,
): Promise<number | undefined> {
  const script = await scriptFor(host.files, root, new URL(url).pathname);
  if (script === undefined) return undefined;
  const own = headers.map(({ name, value }) => [`HTTP_${name.toUpperCase().replaceAll('-', '_')}`, value]);
  const bytes = encodeRequest({ ...parametersOf(new URL(url), root, script), ...Object.fromEntries(own) });
  try {
    const answer = decodeAnswer(await host.exchange({ address, bytes, timeoutSeconds: timeout }));
    // Without a status it is 200 (RFC 3875, 6.3.3).
    return answer.complete ? Number.parseInt(answer.headers.status ?? '200', 10) : undefined;
  } catch (error) {
    if (error instanceof OperationError) return undefined;
    throw error;
  }
}

/** From the root: the script of the path, or the front controller. */
async function scriptFor(files: Pick<Files, 'stat'>, root: string, path: string): Promise<string | undefined> {
  const candidates = [...(path.endsWith('.php') ? [path] : []), `${path.replace(/\/$/, '')}/index.php`, '/index.php'];
  for (const script of candidates)
    if ((await files.stat(`${root}${script}`).catch(() => undefined))?.kind === 'file') return script;
  return undefined;
}

/** As nginx's fastcgi_params has them. */
function parametersOf(url: URL, root: string, script: string): Readonly<Record<string, string>> {
  const { pathname, search, host, hostname, port, protocol } = url;
  const isSecure = protocol === 'https:';
  return {
    GATEWAY_INTERFACE: 'CGI/1.1',
    SERVER_PROTOCOL: 'HTTP/1.1',
    SERVER_SOFTWARE: 'holdfast',
    SERVER_NAME: hostname,
    SERVER_PORT: port || (isSecure ? '443' : '80'),
    REMOTE_ADDR: '127.0.0.1',
    REQUEST_SCHEME: protocol.slice(0, -1),
    ...(isSecure ? { HTTPS: 'on' } : {}),
    REQUEST_METHOD: 'GET',
    REQUEST_URI: `${pathname}${search}`,
    QUERY_STRING: search.slice(1),
    DOCUMENT_ROOT: root,
    DOCUMENT_URI: script,
    SCRIPT_NAME: script,
    SCRIPT_FILENAME: `${root}${script}`,
    REDIRECT_STATUS: '200',
    HTTP_HOST: host,
    HTTP_CACHE_CONTROL: 'no-cache',
  };
}

import type { IniValues } from './fpm-configuration.ts';
import type { Pass } from './nginx-configuration.ts';

/** What Apache's main server or a virtual host says of php-fpm. */
interface Server {
  documentRoot?: string;
  /** By `SetHandler` or `ProxyPassMatch`; a folder of its own where one is named. */
  readonly handed: { readonly address: string; readonly folder?: string }[];
}

/**
 * What the joined text of Apache's configuration files hands to php-fpm; a virtual host has what the main server has,
 * unless it says more.
 */
export function apachePasses(text: string): readonly Pass[] {
  const [main, ...hosts] = serversIn(text);
  return [main, ...hosts].flatMap((server) => passesOf(server, main));
}

/** PHP that runs in Apache's own processes: its module. */
export interface ApacheModule {
  /** The folders that Apache serves and hands to no php-fpm. */
  readonly roots: readonly string[];
  /** Such as `8.2`, where the name of the module's file has it. */
  readonly version?: string;
  /** PHP settings of Apache's own configuration. */
  readonly values: IniValues;
}

/** Undefined where this configuration loads no such module. */
export function apacheModule(text: string): ApacheModule | undefined {
  const file = /^\s*LoadModule\s+php\d*_module\s+(\S+)/im.exec(text)?.[1];
  if (file === undefined) return undefined;
  const [main, ...hosts] = serversIn(text);
  const own = [main, ...hosts].filter(({ handed }) => handed.length === 0 && main.handed.length === 0);
  const roots = own.flatMap(({ documentRoot }) => documentRoot ?? []);
  const version = /(\d+\.\d+)/.exec(file)?.[1];
  const set = [...text.matchAll(/^\s*php_(?:admin_)?(?:value|flag)\s+(\S+)\s+(\S+)/gim)];
  const values = Object.fromEntries(set.map(([, name = '', value = '']) => [name, unquoted(value)]));
  return { roots, values, ...(version === undefined ? {} : { version }) };
}

function serversIn(text: string): readonly [Server, ...Server[]] {
  const main: Server = { handed: [] };
  const servers: [Server, ...Server[]] = [main];
  const scopes: Scope[] = [{ server: main }];
  for (const line of withDefinitions(text)) {
    const scope = scopes.at(-1) ?? { server: main };
    if (line.startsWith('</')) scopes.pop();
    else if (line.startsWith('<')) scopes.push(scopeIn(line, scope, servers));
    else readLine(line, scope);
  }
  return servers;
}

/** The section that a line is in: which server, and which `<Directory>`. */
interface Scope {
  readonly server: Server;
  readonly directory?: string;
}

/** What holds in the section that this line opens. */
function scopeIn(line: string, outer: Scope, servers: Server[]): Scope {
  const [, name = '', of = ''] = /^<(\w+)\s*([^>]*)>/.exec(line) ?? [];
  if (/^directory$/i.test(name)) return { ...outer, directory: unquoted(of) };
  if (!/^virtualhost$/i.test(name)) return outer;
  const server: Server = { handed: [] };
  servers.push(server);
  return { server };
}

function readLine(line: string, { server, directory }: Scope): void {
  const root = /^DocumentRoot\s+(.+)$/i.exec(line)?.[1];
  if (root !== undefined) server.documentRoot = unquoted(root);
  const handed =
    /^(?:SetHandler|ProxyPass(?:Match)?)\s.*?(?:unix:(?<socket>\/[^|"\s]+)\|)?fcgi:\/\/(?<host>[^/"\s]*)(?<path>\/[^"\s$]*)?/i;
  const { socket, host, path } = handed.exec(line)?.groups ?? {};
  if (socket === undefined && host === undefined) return;
  const folder = path === undefined || path === '/' ? directory : path;
  server.handed.push({ address: socket ?? host ?? '', ...(folder === undefined ? {} : { folder }) });
}

function passesOf(server: Server, main: Server): readonly Pass[] {
  const root = server.documentRoot ?? main.documentRoot;
  const handed = server.handed.length > 0 ? server.handed : main.handed;
  return handed.map(({ address, folder }) => ({
    address,
    roots: [folder ?? root].filter((each) => each !== undefined),
  }));
}

/** A longer line names neither a folder nor a socket: PATH_MAX is 4,096 (limits.h). */
const longestLine = 4096;

/** The lines, with what `Define` has defined put in. */
function withDefinitions(text: string): readonly string[] {
  const lines = text.split('\n').flatMap((line) => (line.length > longestLine ? [] : [line.trim()]));
  const definitions = new Map(
    lines.flatMap((line) => {
      const [, name, value] = /^Define\s+(\w+)\s+(.+)$/i.exec(line) ?? [];
      return name === undefined ? [] : [[name, unquoted(value ?? '')] as const];
    }),
  );
  return lines.map((line) => line.replace(/\$\{(\w+)\}/g, (whole, name: string) => definitions.get(name) ?? whole));
}

function unquoted(text: string): string {
  return text.trim().replace(/^"(.*)"$/, '$1');
}

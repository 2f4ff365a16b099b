import { apacheModule, apachePasses } from './apache-configuration.ts';
import { type OpcacheSettings, opcacheSettings, readIni } from './fpm-configuration.ts';
import { type Directive, everyDirective, type Pass, passesOf, readDirectives } from './nginx-configuration.ts';
import type { ConfigurationReader } from './read-configuration.ts';
import type { Process } from './read-processes.ts';

/** What a web server hands to php-fpm, and what it keeps of the answers. */
export interface WebServers {
  readonly passes: readonly Pass[];
  readonly caches: readonly NginxCache[];
  readonly inApache: readonly PhpInApache[];
}

/** PHP that runs in Apache's processes, which nobody can ask or tell anything. */
export interface PhpInApache {
  /** The process id of that Apache. */
  readonly master: string;
  readonly roots: readonly string[];
  readonly settings: OpcacheSettings;
}

const nothing: WebServers = { passes: [], caches: [], inApache: [] };

/** The nginx and Apache servers among these processes, as far as their configuration can be read. */
export async function findWebServers(
  processes: readonly Process[],
  configuration: ConfigurationReader,
): Promise<WebServers> {
  const found: WebServers[] = [];
  for (const process of processes) found.push(await webServerOf(configuration, process));
  return {
    passes: found.flatMap(({ passes }) => passes),
    caches: found.flatMap(({ caches }) => caches),
    inApache: found.flatMap(({ inApache }) => inApache),
  };
}

/**
 * nginx's master process calls itself `nginx: master process /usr/sbin/nginx -c …`; Apache's processes have the words
 * that they were started with.
 */
async function webServerOf(configuration: ConfigurationReader, { pid, title }: Process): Promise<WebServers> {
  const words = title.split(/[\0\s]+/);
  if (title.startsWith('nginx: master process ')) return nginx(configuration, words);
  if (/\/(?:apache2|httpd)$/.test(words[0] ?? '')) return apache(configuration, words, pid);
  return nothing;
}

/** The configuration files that distributions and nginx's own build have. */
const nginxPlaces = ['/etc/nginx/nginx.conf', '/usr/local/etc/nginx/nginx.conf', '/usr/local/nginx/conf/nginx.conf'];

async function nginx(configuration: ConfigurationReader, words: readonly string[]): Promise<WebServers> {
  const prefix = (optionOf(words, '-p') ?? '/usr/share/nginx').replace(/\/$/, '');
  const given = optionOf(words, '-c');
  const places = given === undefined ? nginxPlaces : [given.startsWith('/') ? given : `${prefix}/${given}`];
  for (const place of places) {
    const text = await configuration.text(place);
    if (text === '') continue;
    const folder = place.slice(0, place.lastIndexOf('/'));
    const directives = await included(configuration, readDirectives(text), folder, [place]);
    return { ...nothing, passes: passesOf(directives, prefix), caches: cachesOf(directives) };
  }
  return nothing;
}

/** Files include each other in a few levels. */
const deepest = 8;

/** The texts of an included pattern; none where a file includes itself, or the files above it. */
async function textsOf(
  configuration: ConfigurationReader,
  pattern: string,
  above: readonly string[],
): Promise<readonly string[]> {
  return above.includes(pattern) || above.length > deepest ? [] : configuration.matching(pattern);
}

/** With the directives of the files that are included in the places where they are. */
async function included(
  configuration: ConfigurationReader,
  directives: readonly Directive[],
  folder: string,
  above: readonly string[],
): Promise<readonly Directive[]> {
  const whole: Directive[] = [];
  for (const each of directives) {
    const pattern = inFolder(folder, each.words[0] ?? '');
    if (each.name !== 'include') {
      whole.push({ ...each, inside: await included(configuration, each.inside, folder, above) });
      continue;
    }
    const inside = (await textsOf(configuration, pattern, above)).flatMap(readDirectives);
    whole.push(...(await included(configuration, inside, folder, [...above, pattern])));
  }
  return whole;
}

async function apache(
  configuration: ConfigurationReader,
  words: readonly string[],
  master: string,
): Promise<WebServers> {
  const root = optionOf(words, '-d') ?? (words[0]?.endsWith('httpd') ? '/etc/httpd' : '/etc/apache2');
  const given = optionOf(words, '-f') ?? (words[0]?.endsWith('httpd') ? 'conf/httpd.conf' : 'apache2.conf');
  const text = await configuration.text(inFolder(root, given));
  const whole = (await withIncludes(configuration, text, root, [])).join('\n');
  const module = apacheModule(whole);
  if (module === undefined) return { ...nothing, passes: apachePasses(whole) };
  const ini = module.version === undefined ? '/etc' : `/etc/php/${module.version}/apache2`;
  const texts = [await configuration.text(`${ini}/php.ini`), ...(await configuration.matching(`${ini}/conf.d/*.ini`))];
  const settings = opcacheSettings({ ...readIni(texts.join('\n')), ...module.values });
  return { ...nothing, passes: apachePasses(whole), inApache: [{ master, roots: module.roots, settings }] };
}

async function withIncludes(
  configuration: ConfigurationReader,
  text: string,
  root: string,
  above: readonly string[],
): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    const pattern = /^\s*Include(?:Optional)?\s+"?([^"\s]+)/i.exec(line)?.[1];
    const place = pattern === undefined ? undefined : inFolder(root, pattern);
    if (place === undefined) lines.push(line);
    else
      for (const inside of await textsOf(configuration, place, above))
        lines.push(...(await withIncludes(configuration, inside, root, [...above, place])));
  }
  return lines;
}

function inFolder(folder: string, path: string): string {
  return path.startsWith('/') ? path : `${folder}/${path}`;
}

function optionOf(words: readonly string[], option: string): string | undefined {
  const at = words.indexOf(option);
  return at < 0 ? undefined : words[at + 1];
}

/** A cache of nginx's, which may answer in front of a site. */
export interface NginxCache {
  /** Such as `fastcgi_cache`, and the zone that it names. */
  readonly directive: string;
  readonly zone: string;
  /** Whether two addresses that differ in their query have two answers. */
  readonly hasQuery: boolean;
}

/** The caches that these directives switch on anywhere. */
export function cachesOf(directives: readonly Directive[]): readonly NginxCache[] {
  const all = everyDirective(directives);
  const on = all.filter(({ name, words }) => /^(?:fastcgi|proxy|uwsgi|scgi)_cache$/.test(name) && words[0] !== 'off');
  const dropsQuery = all.some(changesQuery);
  const found = on.map(({ name, words: [zone = ''] }) => {
    const keys = all.filter((each) => each.name === `${name}_key`).map(({ words }) => words.join(' '));
    const isIn = (key: string) => /\$\{?request_uri\b/.test(key) || (argument.test(key) && !dropsQuery);
    const hasQuery = keys.length === 0 ? name === 'proxy_cache' && !dropsQuery : keys.every(isIn);
    return { directive: name, zone, hasQuery };
  });
  return [...new Map(found.map((cache) => [`${cache.directive} ${cache.zone}`, cache])).values()];
}

/**
 * Without a key of its own `proxy_cache` has `$uri$is_args$args` in it (ngx_http_proxy_module); the others then have
 * none, and one answer for all addresses (ngx_http_fastcgi_module: a warning when nginx starts).
 */
const argument = /\$\{?(?:args|query_string|arg_holdfast)\b/;

/** Whether it sets `$args`, or leads on without them, for nginx itself (ngx_http_rewrite_module). */
function changesQuery({ name, words: [first = '', second = '', flag = ''] }: Directive): boolean {
  if (name === 'set') return /^\$(?:args|query_string)$/.test(first);
  return (
    name === 'rewrite' && second.endsWith('?') && !/^(?:redirect|permanent)$/.test(flag) && !/^https?:/.test(second)
  );
}

import type { Files } from '../../host/host.ts';
import { apachePasses } from './apache-configuration.ts';
import { type Directive, type Pass, passesOf, readDirectives } from './nginx-configuration.ts';
import { type Process, readMatching, readProcesses, textOf } from './read-configuration.ts';

/** What the nginx and Apache servers of this machine hand to php-fpm, as far as their configuration can be read. */
export async function findPasses(files: Files): Promise<readonly Pass[]> {
  const passes = await Promise.all((await readProcesses(files)).map((process) => passesOfProcess(files, process)));
  return passes.flat();
}

/** nginx's master process calls itself `nginx: master process /usr/sbin/nginx -c …`; Apache's processes have the words that they were started with. */
async function passesOfProcess(files: Files, { title }: Process): Promise<readonly Pass[]> {
  const words = title.split(/[\0\s]+/);
  if (title.startsWith('nginx: master process ')) return nginxPasses(files, words);
  if (/\/(?:apache2|httpd)$/.test(words[0] ?? '')) return apache(files, words);
  return [];
}

/** The configuration files that distributions and nginx's own build have. */
const nginxPlaces = ['/etc/nginx/nginx.conf', '/usr/local/etc/nginx/nginx.conf', '/usr/local/nginx/conf/nginx.conf'];

async function nginxPasses(files: Files, words: readonly string[]): Promise<readonly Pass[]> {
  const prefix = (optionOf(words, '-p') ?? '/usr/share/nginx').replace(/\/$/, '');
  const given = optionOf(words, '-c');
  const places = given === undefined ? nginxPlaces : [given.startsWith('/') ? given : `${prefix}/${given}`];
  for (const place of places) {
    const text = await textOf(files, place);
    if (text === '') continue;
    const directives = await included(files, readDirectives(text), place.slice(0, place.lastIndexOf('/')), deepest);
    return passesOf(directives, prefix);
  }
  return [];
}

/** Files include each other in a few levels; a circle ends here. */
const deepest = 8;

/** With the directives of the files that are included in the places where they are. */
async function included(
  files: Files,
  directives: readonly Directive[],
  folder: string,
  levels: number,
): Promise<readonly Directive[]> {
  const whole = await Promise.all(
    directives.map(async (each): Promise<readonly Directive[]> => {
      const { name, words } = each;
      if (name !== 'include') return [{ ...each, inside: await included(files, each.inside, folder, levels) }];
      const [path = ''] = words;
      const texts = levels === 0 ? [] : await readMatching(files, path.startsWith('/') ? path : `${folder}/${path}`);
      return included(files, texts.flatMap(readDirectives), folder, levels - 1);
    }),
  );
  return whole.flat();
}

async function apache(files: Files, words: readonly string[]): Promise<readonly Pass[]> {
  const root = optionOf(words, '-d') ?? (words[0]?.endsWith('httpd') ? '/etc/httpd' : '/etc/apache2');
  const given = optionOf(words, '-f') ?? (words[0]?.endsWith('httpd') ? 'conf/httpd.conf' : 'apache2.conf');
  const text = await textOf(files, inFolder(root, given));
  return apachePasses(await withIncludes(files, text, root, deepest));
}

async function withIncludes(files: Files, text: string, root: string, levels: number): Promise<string> {
  const lines = await Promise.all(
    text.split('\n').map(async (line) => {
      const pattern = /^\s*Include(?:Optional)?\s+"?([^"\s]+)/i.exec(line)?.[1];
      if (pattern === undefined) return line;
      const texts = levels === 0 ? [] : await readMatching(files, inFolder(root, pattern));
      return withIncludes(files, texts.join('\n'), root, levels - 1);
    }),
  );
  return lines.join('\n');
}

function inFolder(folder: string, path: string): string {
  return path.startsWith('/') ? path : `${folder}/${path}`;
}

function optionOf(words: readonly string[], option: string): string | undefined {
  const at = words.indexOf(option);
  return at < 0 ? undefined : words[at + 1];
}

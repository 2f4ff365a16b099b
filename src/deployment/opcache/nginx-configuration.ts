/**
 * Requests that a web server hands to php-fpm: the folders that it serves so, and the address as php-fpm's `listen` has
 * it.
 */
export interface Pass {
  readonly roots: readonly string[];
  readonly address: string;
}

/** A directive of nginx with its parameters, and those in its block. */
export interface Directive {
  readonly name: string;
  readonly words: readonly string[];
  readonly inside: readonly Directive[];
}

/** The directives in the text of a configuration file; a text that is cut off gives those that it has. */
export function readDirectives(text: string): readonly Directive[] {
  const tokens = text.match(/#[^\n]*|[;{}]|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|(?:\\.|\$\{\w+\}|[^\s;{}\\])+/gs);
  return block(
    (tokens ?? []).filter((token) => !token.startsWith('#')),
    { at: 0 },
    deepest,
  );
}

/** http, server, location and some more: nginx itself nests no further. */
const deepest = 32;

/**
 * Those up to the end of the block that begins at the position, which is moved behind it. What lies deeper than so many
 * levels is read as if it lay in the last one.
 */
function block(tokens: readonly string[], position: { at: number }, levels: number): readonly Directive[] {
  const found: Directive[] = [];
  while (levels >= 0) {
    const words = wordsFrom(tokens, position);
    const end = tokens[position.at++];
    if (end === undefined || end === '}') break;
    const inside = end === '{' ? block(tokens, position, levels - 1) : [];
    const [name, ...parameters] = words;
    if (name !== undefined) found.push({ name, words: parameters, inside });
  }
  return found;
}

function wordsFrom(tokens: readonly string[], position: { at: number }): readonly string[] {
  const from = position.at;
  while (position.at < tokens.length && !/^[;{}]$/.test(tokens[position.at] ?? '')) position.at++;
  return tokens.slice(from, position.at).map(unquoted);
}

function unquoted(token: string): string {
  return /^(["']).*\1$/s.test(token) ? token.slice(1, -1) : token;
}

/** The settings that apply in a block and in the blocks inside it. */
interface Scope {
  readonly roots: readonly string[];
  readonly variables: ReadonlyMap<string, string>;
}

/** What the directives hand to php-fpm. A folder or an address that only a request decides is left out. */
export function passesOf(directives: readonly Directive[], prefix: string): readonly Pass[] {
  const upstreams = new Map(
    everyDirective(directives)
      .filter(({ name }) => name === 'upstream')
      .map(({ words, inside }) => [
        words[0],
        inside.filter(({ name }) => name === 'server').map((each) => each.words[0]),
      ]),
  );
  const walk = (inside: readonly Directive[], outer: Scope): readonly Pass[] => {
    const scope = scopeOf(inside, outer, prefix);
    const passed = inside
      .filter(({ name }) => name === 'fastcgi_pass')
      .map(({ words }) => resolved(words[0] ?? '', scope))
      .flatMap((target) => upstreams.get(target) ?? [target])
      .filter((target) => target !== undefined && !target.includes('$'))
      .map((target = '') => ({ roots: scope.roots, address: target.replace(/^unix:/, '').replace(/:$/, '') }));
    return [...passed, ...blocksIn(inside).flatMap((each) => walk(each.inside, scope))];
  };
  return walk(directives, { roots: [], variables: new Map() });
}

const blocksIn = (directives: readonly Directive[]): readonly Directive[] =>
  directives.filter((each) => each.inside.length > 0);

export function everyDirective(directives: readonly Directive[]): readonly Directive[] {
  return [...directives, ...blocksIn(directives).flatMap((each) => everyDirective(each.inside))];
}

/** A script that is named whole says where it is, too. */
function scopeOf(inside: readonly Directive[], outer: Scope, prefix: string): Scope {
  const set = inside.filter(({ name, words }) => name === 'set' && (words[1]?.length ?? 0) <= longestWord);
  const variables = new Map([
    ...outer.variables,
    ...set.map(({ words: [name = '', value = ''] }) => [name, value] as const),
  ]);
  const own = inside.flatMap(({ name, words }) => {
    if (name === 'root' || name === 'alias') return words.slice(0, 1);
    return name === 'fastcgi_param' && words[0] === 'SCRIPT_FILENAME' ? words.slice(1, 2) : [];
  });
  const known = own.map((path) => resolved(path, { ...outer, variables })).filter((path) => !path.includes('$'));
  const roots = known.map((path) => (path.startsWith('/') ? path : `${prefix}/${path}`));
  const replaces = inside.some(({ name }) => name === 'root' || name === 'alias');
  return { variables, roots: replaces ? roots : [...outer.roots, ...roots] };
}

/** A longer word names no file: PATH_MAX is 4,096 (limits.h). */
const longestWord = 4096;

function resolved(text: string, { variables }: Scope): string {
  if (text.length > longestWord) return '$';
  return text.replace(/\$\{?(\w+)\}?/g, (whole, name: string) => variables.get(`$${name}`) ?? whole);
}

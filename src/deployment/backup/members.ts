/**
 * What is wrong with an archive that is to be extracted at the root and may write only below these directories, from
 * its listing with `listingOptions`.
 */
export function wrongMembers(listing: string, directories: readonly string[]): readonly string[] {
  const members = membersOf(listing);
  if (members.length === 0) return ['it holds nothing'];
  const tops = directories.map((directory) => directory.slice(1));
  const links = new Set(members.filter(({ type }) => type === 'l').map(({ path }) => path));
  const before = new Set<string>();
  return members.flatMap((member) => {
    const wrong = wrongWith(member, tops, links);
    const isNowhere = wrong.length === 0 && member.target !== undefined && !before.has(member.target);
    before.add(member.path);
    return isNowhere ? [`${member.path} is a link to ${member.target}, which does not come before it`] : wrong;
  });
}

/**
 * The folders that members are written into and that are no members themselves: a symbolic link in their place would be
 * followed.
 */
export function foldersRelied(listing: string): readonly string[] {
  const members = membersOf(listing);
  const brought = new Set(members.filter(({ type }) => type === 'd').map(({ path }) => path));
  return [...new Set(members.flatMap(({ path }) => foldersAbove(path)))].filter((folder) => !brought.has(folder));
}

/** The words after `tar` for a listing whose every name stands in quotes, with escapes, as tar itself has read it. */
export const listingOptions = ['--list', '--verbose', '--numeric-owner', '--quoting-style=c'] as const;
/** Without the translations and the character sets of a locale. `TAR_OPTIONS` would come before the options. */
export const listingEnvironment = { LC_ALL: 'C', TAR_OPTIONS: '' } as const;

/** The members of an archive, from its listing with `listingOptions`. A line that is none is a member of type `?`. */
export function membersOf(listing: string): readonly Member[] {
  return listing
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => memberOf(line));
}

export interface Member {
  /** As `ls -l` begins a line with it; `h` for a hard link. */
  readonly type: string;
  /** Without a slash at its end. */
  readonly path: string;
  readonly userId: number;
  readonly bytes: number;
  /** Of a hard link. */
  readonly target?: string;
}

const quoted = String.raw`"((?:[^"\\]|\\.)*)"`;
const line = new RegExp(
  String.raw`^([-dlhbcpCDMSV])\S* (\d+)/\d+ +([\d,]+) [^"]*${quoted}(?: (?:->|link to) ${quoted})?$`,
);

function memberOf(text: string): Member {
  const [, type, user, size, path = '', target] = line.exec(text) ?? [];
  if (type === undefined) return { type: '?', path: text, userId: 0, bytes: 0 };
  const name = unescaped(path).replace(/\/$/, '');
  const member = { type, path: name, userId: Number(user), bytes: type === '-' ? Number(size) : 0 };
  return type === 'h' ? { ...member, target: unescaped(target ?? '') } : member;
}

const letters: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** A name as C writes it in a string: bytes outside of ASCII are three octal digits. */
function unescaped(text: string): string {
  const bytes = text.replaceAll(/\\([0-7]{3}|.)/g, (_, code: string) =>
    code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (letters[code] ?? code),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function wrongWith(
  { type, path, target }: Member,
  tops: readonly string[],
  links: ReadonlySet<string>,
): readonly string[] {
  const isInside = (place: string): boolean => tops.some((top) => isBelow(place, top));
  const where = tops.map((top) => `/${top}`).join(' or ');
  if (!'-dlh'.includes(type)) return [`${path} is neither a file, a folder nor a link`];
  if (!isInside(path)) return [`${path} does not lie in ${where}`];
  if (target !== undefined && !isInside(target)) return [`${path} is a link to ${target}, outside of ${where}`];
  const above = foldersAbove(path).find((folder) => links.has(folder));
  return above === undefined ? [] : [`${path} would be written through the link ${above}`];
}

function isBelow(path: string, top: string): boolean {
  const parts = path.split('/');
  return (path === top || path.startsWith(`${top}/`)) && !parts.includes('..') && !parts.includes('.');
}

function foldersAbove(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

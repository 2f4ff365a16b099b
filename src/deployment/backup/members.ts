/**
 * What is wrong with an archive that is to be extracted at the root and may write only below these directories, from
 * its `tar --list --verbose --numeric-owner`.
 */
export function wrongMembers(listing: string, directories: readonly string[]): readonly string[] {
  const members = membersOf(listing);
  if (members.length === 0) return ['it holds nothing'];
  const tops = directories.map((directory) => directory.slice(1));
  const links = new Set(members.filter(({ type }) => type === 'l').map(({ path }) => path));
  return members.flatMap((member) => wrongWith(member, tops, links));
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

/** Regular files, folders and links, from `tar --list --verbose --numeric-owner`. */
export function membersOf(listing: string): readonly Member[] {
  return listing.split('\n').flatMap((line) => memberOf(line));
}

export interface Member {
  /** As `ls -l` begins a line with it; `h` for a hard link. */
  readonly type: string;
  /** Without the leading slash. */
  readonly path: string;
  readonly userId: number;
  readonly bytes: number;
  /** Of a hard link. */
  readonly target?: string;
}

/**
 * `-rw-r--r-- 0/0 12 2026-11-20 10:00 srv/app/file`, with ` -> target` or ` link to target`. Names are escaped by tar.
 */
function memberOf(line: string): readonly Member[] {
  const [, type = '', user = '0', size = '0', rest = ''] =
    /^([-dlhbcpDMSV])[^ ]* (\d+)\/\d+ +([\d,]+) \d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)? (.*)$/.exec(line) ?? [];
  if (type === '') return line === '' ? [] : [{ type: '?', path: line, userId: 0, bytes: 0 }];
  const member = { type, userId: Number(user), bytes: type === '-' ? Number(size) : 0 };
  if (type === 'l') return [{ ...member, path: rest.split(' -> ')[0] ?? rest }];
  if (type !== 'h') return [{ ...member, path: rest.replace(/\/$/, '') }];
  const [path = '', target = ''] = rest.split(' link to ');
  return [{ ...member, path, target }];
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

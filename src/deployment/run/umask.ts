/**
 * The umask under which a new file, or a new folder, has the permissions of this file: who may not read may not enter
 * either.
 */
export function umaskGiving(mode: number): number {
  return umaskWhere(mode, mayRead);
}

/**
 * The same for files in a folder of this mode: who may enter it reaches them, also without the permission to list it
 * (path_resolution(7)).
 */
export function umaskInFolder(mode: number): number {
  return umaskWhere(mode, mayEnter);
}

const [mayRead, mayWrite, mayEnter] = [4, 2, 1];

function umaskWhere(mode: number, needed: number): number {
  const maskOfClass = (bits: number) => ((bits & needed) === 0 ? 7 : (bits & mayWrite) === 0 ? mayWrite : 0);
  return [6, 3, 0].reduce((mask, shift) => mask | (maskOfClass((mode >> shift) & 7) << shift), 0);
}

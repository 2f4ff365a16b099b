/** The umask under which a new file, or a new folder, has the permissions of this mode: who may not read may not enter either. */
export function umaskGiving(mode: number): number {
  return [6, 3, 0].reduce((mask, shift) => mask | (maskOfClass((mode >> shift) & 7) << shift), 0);
}

function maskOfClass(bits: number): number {
  if ((bits & 4) === 0) return 7;
  return (bits & 2) === 0 ? 2 : 0;
}

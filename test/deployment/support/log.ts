const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g;

/** The lines of a deployment log that are the program's own, each time as TIME. */
export function frame(log: string): readonly string[] {
  return log
    .replaceAll(time, 'TIME')
    .split('\n')
    .filter((line) => !line.startsWith('  '));
}

/** The lines with a tag. */
export function tagged(log: string): readonly string[] {
  return log.split('\n').filter((line) => line.startsWith('['));
}

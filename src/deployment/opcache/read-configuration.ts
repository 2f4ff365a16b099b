import type { Files } from '../../host/host.ts';
import { inParallel } from '../../host/in-parallel.ts';

/** Reads the configuration files of servers, within limits for all of them together. */
export interface ConfigurationReader {
  /** Empty for a file that is not there or that is refused. */
  text(path: string): Promise<string>;
  /**
   * The texts of a pattern's files, in the order of their names. Only its last part may contain `*`, as in the
   * distributions' files.
   */
  matching(pattern: string): Promise<readonly string[]>;
  /** What was refused, a sentence each. */
  warnings(): readonly string[];
}

/** Thousands of virtual hosts take less; a file that includes itself again and again takes no more. */
const mostFiles = 4000;
const mostBytesOfFile = 512 * 1024;
const mostBytesOfAll = 16 * 1024 * 1024;
/** After so many that were refused, of which each may have been waited for, no other is read. */
const mostRefused = 20;
const mostWarnings = 3;
const atOnce = 8;

/** Files of users that are not trusted are refused: who writes a server's configuration decides what it answers. */
export function configurationReader(files: Files, trusted: readonly number[]): ConfigurationReader {
  let [filesLeft, bytesLeft] = [mostFiles, mostBytesOfAll];
  const refused: string[] = [];
  const text = async (path: string): Promise<string> => {
    if (filesLeft-- <= 0 || bytesLeft <= 0 || refused.length >= mostRefused) return '';
    // Those that are in use are links to those that are there (sites-enabled).
    const real = await files.realPath(path).catch(() => undefined);
    if (real === undefined) return '';
    const limits = { mostBytes: Math.min(mostBytesOfFile, bytesLeft), owners: trusted };
    const read = (await files.readUntrusted(real, limits)) ?? { text: '' };
    if ('text' in read) {
      bytesLeft -= read.text.length;
      return read.text;
    }
    if (!read.bySystem) refused.push(`${path} is left out of the configuration, because ${read.refused}`);
    return '';
  };
  return {
    text,
    matching: async (pattern) => {
      const slash = pattern.lastIndexOf('/');
      const folder = pattern.slice(0, slash);
      const isMatch = matcher(pattern.slice(slash + 1));
      const names = (await files.list(folder).catch(() => [])).filter(isMatch).slice(0, Math.max(0, filesLeft));
      const texts = await inParallel(names, atOnce, (name) => text(`${folder}/${name}`));
      return texts.map((each) => each ?? '');
    },
    warnings: () => refused.slice(0, mostWarnings),
  };
}

/** Whether a name has these parts in this order; a regular expression could take for ever. */
function matcher(pattern: string): (name: string) => boolean {
  const [first = '', ...parts] = pattern.split('*');
  const last = parts.pop();
  if (last === undefined) return (name) => name === first;
  return (name) => {
    if (!name.startsWith(first) || !name.endsWith(last)) return false;
    let at = first.length;
    for (const part of parts) {
      const found = name.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return at <= name.length - last.length;
  };
}

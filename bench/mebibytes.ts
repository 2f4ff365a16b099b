import { spawnSync } from 'node:child_process';

/** The child says its largest resident size when it ends, in KiB. */
const used = "process.on('exit', () => process.stderr.write('largest=' + process.resourceUsage().maxRSS + '\\n'))";

/** The largest resident size of Node with these words. */
export function mebibytesOf(words: readonly string[]): number {
  const flags = ['--import', `data:text/javascript,${encodeURIComponent(used)}`];
  const { stderr } = spawnSync(process.execPath, [...flags, ...words], { encoding: 'utf8' });
  return Number(/largest=(\d+)/.exec(stderr)?.[1]) / 1024;
}

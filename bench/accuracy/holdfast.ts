import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Analysis } from '../../src/validation/downtime/analyze.ts';
import { siteUrl } from './faulty-site.ts';
import type { Measured, Prober } from './measured.ts';

const program = join(import.meta.dirname, '../../bin/holdfast.js');

/** `monitor` of one site under several names, so that its outages are seen at as many phases of the interval. */
export function ourMonitor(name: string, folder: string, phases: number, options: readonly string[]): Prober {
  const log = join(folder, `${name.replaceAll(' ', '-')}.log`);
  const [url = siteUrl, ...more] = Array.from({ length: phases }, (_, index) => `${siteUrl}?${index}`);
  const words = ['monitor', url, ...more.flatMap((one) => ['--target', one]), '--log', log, '--quiet', ...options];
  const child = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'ignore', 'inherit'] });
  return { name, probers: phases, end: () => ended(child).then(() => outagesIn(log)) };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) throw new Error(`holdfast monitor ended by itself, with ${child.exitCode}`);
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await exit;
}

/** Exit code 1 says that there were outages. */
function outagesIn(log: string): readonly Measured[] {
  const command = `"$@" || [ $? = 1 ]`;
  const stdout = execFileSync('sh', ['-c', command, 'sh', process.execPath, program, 'analyze', log, '--json'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const { outages } = JSON.parse(stdout) as Analysis;
  return outages.map(({ from, seconds, lowerSeconds, upperSeconds, target = '' }) => ({
    prober: Number(/\?(\d+)$/.exec(target)?.[1]),
    at: Date.parse(from),
    seconds,
    bounds: [lowerSeconds, upperSeconds],
  }));
}

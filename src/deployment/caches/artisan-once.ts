import type { Files, Host, RunOptions } from '../../host/host.ts';
import type { Step } from '../settings/steps.ts';
import { driver } from './artisan-driver.ts';

/** How one of the steps ended. */
export interface StepResult {
  readonly step: Step;
  readonly exitCode: number;
  readonly seconds: number;
  readonly output: string;
  /** Files that the step should have left absent, or present. */
  readonly wrong: readonly string[];
}

/**
 * Runs artisan commands in one PHP process: most of a command's time is loading the framework's classes. What their
 * `together` names is built aside and renamed into place at the end. Undefined where that process did not complete
 * all of them: then the commands are to be run one by one, and their results count.
 */
export async function artisanOnce(
  host: Pick<Host, 'run' | 'random' | 'clock'>,
  steps: readonly Step[],
  options: RunOptions,
  cacheFolder?: string,
): Promise<readonly StepResult[] | undefined> {
  const [first] = steps;
  if (first === undefined) return [];
  // A random word: no output of a command can be mistaken for a result.
  const mark = `holdfast-${Math.floor(host.random('artisan-once')() * 2 ** 48).toString(36)}`;
  const words = steps.map(({ command, environment = {}, leaves, together }) => ({
    words: command.slice(1),
    ...(together ?? { environment, leaves }),
  }));
  const command = [
    first.command[0],
    ...compiled(cacheFolder),
    '-r',
    driver,
    '--',
    mark,
    JSON.stringify(words),
  ] as const;
  const { stdout } = await host.run(command, options);
  const results = stdout.split('\n').filter((line) => line.startsWith(`${mark} `));
  const read = results.map((line) => JSON.parse(line.slice(mark.length)) as Omit<StepResult, 'step'>);
  const failed = read.find(({ exitCode, wrong }) => exitCode !== 0 || wrong.length > 0);
  if (read.length !== steps.length || failed !== undefined) return undefined;
  return steps.map((step, index) => ({ step, ...(read[index] as Omit<StepResult, 'step'>) }));
}

/**
 * Makes PHP keep what it has compiled in this folder: the framework's files are the same the next time. A file that was
 * changed has another time, and one that is younger than two seconds is not kept (opcache.file_update_protection).
 */
function compiled(cacheFolder: string | undefined): readonly string[] {
  if (cacheFolder === undefined) return [];
  const settings = [
    'enable_cli=1',
    `file_cache=${cacheFolder}`,
    'file_cache_only=1',
    'validate_timestamps=1',
    'file_update_protection=2',
  ];
  return settings.flatMap((setting) => ['-d', `opcache.${setting}`]);
}

/** Whether the steps are artisan's, and this artisan is one whose beginning we know. */
export async function canRunOnce(files: Files, directory: string, steps: readonly Step[]): Promise<boolean> {
  const programs = new Set(steps.map(({ command }) => command.slice(0, 2).join(' ')));
  const [program] = programs;
  if (programs.size !== 1 || !program?.endsWith(' artisan')) return false;
  const artisan = (await files.read(`${directory}/artisan`).catch(() => undefined)) ?? '';
  return /require(?:_once)?[\s(]+__DIR__\s*\.\s*'[^']*autoload\.php'/.test(artisan);
}

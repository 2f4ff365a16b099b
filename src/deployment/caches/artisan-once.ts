import type { Files, Host, RunOptions } from '../../host/host.ts';
import { errorShown } from '../run/application-error.ts';
import type { Step } from '../settings/steps.ts';
import { fromApplication } from '../settings/subfolder.ts';
import { startDriver, stepsDriver } from './artisan-driver.ts';

/** How one of the steps ended. */
export interface StepResult {
  readonly step: Step;
  readonly exitCode: number;
  readonly seconds: number;
  readonly output: string;
  /** Files that the step should have left absent, or present. */
  readonly wrong: readonly string[];
}

/** One start of the application. */
export interface Start {
  readonly seconds: number;
  /**
   * Why it cannot start: its own code threw, or PHP ended with a fatal error. The error, its message and its place in
   * one line.
   */
  readonly cannotStart?: string;
}
export type CannotStart = Required<Start>;

/** One start of the application, and the steps after it. */
export interface Trial extends Start {
  /** The first step that failed. */
  readonly failed?: { readonly step: string; readonly because: string };
}

/**
 * Runs artisan commands in one PHP process: most of a command's time is loading the framework's classes. What their
 * `together` names is built aside and renamed into place at the end. Undefined where that process did not complete
 * all of them: then the commands are to be run one by one, and their results count.
 */
export async function artisanOnce(
  host: Pick<Host, 'run' | 'random'>,
  steps: readonly Step[],
  options: RunOptions,
  cacheFolder?: string,
): Promise<readonly StepResult[] | CannotStart | undefined> {
  const [first] = steps;
  if (first === undefined) return [];
  const program = [first.command[0], stepsDriver()] as const;
  const { answers, seconds } = await runDriver(host, program, steps.map(wordsOf), options, cacheFolder);
  const cannotStart = reasonIn(answers);
  if (cannotStart !== undefined) return { cannotStart, seconds };
  const read = answers as readonly Omit<StepResult, 'step'>[];
  if (read.length !== steps.length || read.some(hasFailed)) return undefined;
  return steps.map((step, index) => ({ step, ...(read[index] as Omit<StepResult, 'step'>) }));
}

function wordsOf(step: Step): unknown {
  const { command, environment = {}, leaves, together } = fromApplication(step);
  return { words: command.slice(1), ...(together ?? { environment, leaves }) };
}

const hasFailed = ({ exitCode, wrong }: Pick<StepResult, 'exitCode' | 'wrong'>): boolean =>
  exitCode !== 0 || wrong.length > 0;

/**
 * Starts the application and runs these steps with it, up to the first that fails. Undefined where PHP gave no answer,
 * or ended in a step.
 */
export async function tryOnce(
  host: Pick<Host, 'run' | 'random'>,
  php: string,
  steps: readonly Step[],
  options: RunOptions,
  cacheFolder?: string,
): Promise<Trial | undefined> {
  if (steps.length === 0) return startOnce(host, php, options, cacheFolder);
  const { answers, seconds } = await runDriver(host, [php, stepsDriver()], steps.map(wordsOf), options, cacheFolder);
  const cannotStart = reasonIn(answers);
  if (cannotStart !== undefined) return { seconds, cannotStart };
  const read = answers as readonly Omit<StepResult, 'step'>[];
  const at = read.findIndex(hasFailed);
  const failed = read[at];
  if (failed === undefined) return read.length === steps.length ? { seconds } : undefined;
  const because = errorShown(failed.output) ?? `exit code ${failed.exitCode}`;
  return { seconds, failed: { step: steps[at]?.name ?? '', because } };
}

/** Starts the application and does nothing with it. Undefined where PHP gave no answer, as after a signal. */
export async function startOnce(
  host: Pick<Host, 'run' | 'random'>,
  php: string,
  options: RunOptions,
  cacheFolder?: string,
): Promise<Start | undefined> {
  const { answers, seconds } = await runDriver(host, [php, startDriver()], [], options, cacheFolder);
  const cannotStart = reasonIn(answers);
  if (answers.length === 0) return undefined;
  return { seconds, ...(cannotStart === undefined ? {} : { cannotStart }) };
}

function reasonIn(answers: readonly unknown[]): string | undefined {
  return answers.map((answer) => (answer as Partial<CannotStart>).cannotStart).find((reason) => reason !== undefined);
}

/** Runs one of the two programs; returns its answers. */
async function runDriver(
  host: Pick<Host, 'run' | 'random'>,
  [php, program]: readonly [string, string],
  steps: readonly unknown[],
  options: RunOptions,
  cacheFolder: string | undefined,
): Promise<{ readonly answers: readonly unknown[]; readonly seconds: number }> {
  // A random word: no output of a command can be mistaken for an answer.
  const mark = `holdfast-${Math.floor(host.random('artisan-once')() * 2 ** 48).toString(36)}`;
  const command = [php, ...compiled(cacheFolder), '-r', program, '--', mark, JSON.stringify(steps)] as const;
  const { stdout, seconds } = await host.run(command, options);
  const answers = stdout.split('\n').filter((line) => line.startsWith(`${mark} `));
  return { answers: answers.map((line) => answerIn(line.slice(mark.length))), seconds };
}

/** What a process that was ended in the middle of a line wrote counts as a step that failed. */
function answerIn(text: string): unknown {
  try {
    const answer: unknown = JSON.parse(text);
    const { cannotStart, exitCode, output, wrong } = Object(answer);
    const isResult = typeof exitCode === 'number' && typeof output === 'string' && Array.isArray(wrong);
    if (isResult || typeof cannotStart === 'string') return answer;
  } catch {
    // Half a line.
  }
  return { exitCode: 1, seconds: 0, output: '', wrong: [] };
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
  return autoloading.test(await artisanOf(files, directory));
}

/**
 * Whether artisan loads nothing but the autoloader and the application: then what cannot start here cannot start there.
 */
export async function hasPlainArtisan(files: Files, directory: string): Promise<boolean> {
  const artisan = await artisanOf(files, directory);
  return autoloading.test(artisan) && (artisan.match(loading) ?? []).length <= 2;
}

/** The file that makes classes be found, as artisan names it: from the top of the checkout. */
export async function autoloaderOf(files: Files, directory: string): Promise<string | undefined> {
  return autoloading.exec(await artisanOf(files, directory))?.[1]?.replace(/^\//, '');
}

async function artisanOf(files: Files, directory: string): Promise<string> {
  return (await files.read(`${directory}/artisan`).catch(() => undefined)) ?? '';
}

const autoloading = /require(?:_once)?[\s(]+__DIR__\s*\.\s*'([^']*autoload\.php)'/;
/** A word of a comment has no path after it. */
const loading = /\b(?:require|include)(?:_once)?[\s(]+(?:__DIR__|[$'"])/g;

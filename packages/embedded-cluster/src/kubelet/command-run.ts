import type { Container as ContainerSpec } from '../kubernetes/specs.ts';

/** How a program that nobody stops ends. */
export interface Run {
  /** How long it works; infinite if it never ends. */
  readonly seconds: number;
  readonly exitCode: number;
}

/** How the container's program runs, where its command says so; undefined where only the program knows. */
export function commandRun({ command, args = [] }: Pick<ContainerSpec, 'command' | 'args'>): Run | undefined {
  return command === undefined ? undefined : programRun([...command, ...args]);
}

const atOnce: Run = { seconds: 0, exitCode: 0 };
/** Programs that say something and end, whatever their arguments are. */
const talkers = new Set([
  'echo',
  'printf',
  'date',
  'hostname',
  'id',
  'whoami',
  'pwd',
  'uname',
  'printenv',
  'true',
  ':',
]);
const shells = new Set(['sh', 'bash', 'ash', 'dash']);
/** With one of these and no other arguments a program says something of itself, and ends. */
const aboutItself = /^(-v|-V|-h|--version|--help)$/;

/** The same of a program with its arguments; undefined where only the program knows. */
export function programRun([program = '', ...args]: readonly string[]): Run | undefined {
  const name = program.slice(program.lastIndexOf('/') + 1);
  if (shells.has(name)) return shellRun(args);
  if (name === 'sleep') return sleepRun(args);
  if (name === 'false') return { seconds: 0, exitCode: 1 };
  const talks = talkers.has(name) || (args.length > 0 && args.every((one) => aboutItself.test(one)));
  return talks && name !== '' ? atOnce : undefined;
}

const secondsOfUnit: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 };

/** `sleep 1.5`, `sleep 1m 30s`, `sleep infinity` (coreutils; BusyBox knows them too). */
function sleepRun(args: readonly string[]): Run | undefined {
  const seconds = args.map((argument) => {
    if (argument === 'infinity' || argument === 'inf') return Number.POSITIVE_INFINITY;
    const [, number, unit = ''] = /^(\d+(?:\.\d*)?|\.\d+)([smhd]?)$/.exec(argument) ?? [];
    return Number.parseFloat(number ?? '') * (secondsOfUnit[unit] ?? Number.NaN);
  });
  const sum = seconds.reduce((all, one) => all + one, 0);
  return args.length === 0 || Number.isNaN(sum) ? undefined : { seconds: sum, exitCode: 0 };
}

/** `sh -c SCRIPT`, with other one-letter options beside the `c`. */
function shellRun([option = '', script]: readonly string[]): Run | undefined {
  if (!/^-[a-z]*c$/.test(option) || script === undefined) return undefined;
  const commands = commandsOf(script);
  return commands === undefined ? undefined : scriptRun(commands, option.includes('e'));
}

/** A shell after some commands of its script. */
interface Shell extends Run {
  /** It ends at the first failure, as after `set -e`. */
  readonly isStrict: boolean;
  readonly hasEnded: boolean;
}

/** The commands one after the other; undefined as soon as one is reached that is not known. */
function scriptRun(commands: readonly ScriptCommand[], isStrict: boolean): Run | undefined {
  let shell: Shell | undefined = { ...atOnce, isStrict, hasEnded: false };
  for (const command of commands) {
    if (shell === undefined || shell.hasEnded) break;
    if (!isSkipped(shell, command)) shell = afterCommand(shell, command);
  }
  return shell && { seconds: shell.seconds, exitCode: shell.exitCode };
}

const isSkipped = ({ exitCode }: Shell, { runs }: ScriptCommand): boolean =>
  (runs === 'after success' && exitCode !== 0) || (runs === 'after failure' && exitCode === 0);

function afterCommand(shell: Shell, { words, runs }: ScriptCommand): Shell | undefined {
  const ended = { ...shell, hasEnded: true };
  if (shell.isStrict && runs === 'always' && shell.exitCode !== 0) return ended;
  const [name = '', ...args] = words[0] === 'exec' ? words.slice(1) : words;
  if (name === 'exit') return args[0] === undefined ? ended : { ...ended, exitCode: Number(args[0]) & 255 };
  if (name === 'set') return { ...shell, exitCode: 0, isStrict: shell.isStrict || args.some(isStrictOption) };
  const run = programRun([name, ...args]);
  return (
    run && { ...shell, seconds: shell.seconds + run.seconds, exitCode: run.exitCode, hasEnded: words[0] === 'exec' }
  );
}

const isStrictOption = (option: string): boolean => /^-[a-z]*e/.test(option);

/** One command of a script, and whether it runs: always, if the one before has succeeded, or if it has failed. */
interface ScriptCommand {
  readonly words: readonly string[];
  readonly runs: 'always' | 'after success' | 'after failure';
}

const after = { ';': 'always', '\n': 'always', '&&': 'after success', '||': 'after failure' } as const;

/** What has a meaning to the shell that is not read here: expansions, pipes, redirections, groups, jobs, comments. */
const token = /\s*?(&&|\|\||;|\n)|[^\S\n]+|((?:[^\s'"\\;&|<>(){}$`#*?~]|\\[^\n]|'[^']*'|"[^"\\$`]*")+)|([\s\S])/gy;

/**
 * The commands of a shell script that has nothing but simple commands and `;`, `&&`, `||` between them; undefined for
 * any other.
 */
function commandsOf(script: string): readonly ScriptCommand[] | undefined {
  const tokens = [...script.matchAll(token)];
  if (tokens.some(([, , , other]) => other !== undefined)) return undefined;
  let [command, ...before]: { words: string[]; runs: ScriptCommand['runs'] }[] = [{ words: [], runs: 'always' }];
  for (const [, separator, word] of tokens) {
    if (word !== undefined) command?.words.push(unquoted(word));
    // A line may end after `&&`.
    if (separator === undefined || command === undefined || command.words.length === 0) continue;
    before = [...before, command];
    command = { words: [], runs: after[separator as keyof typeof after] };
  }
  return [...before, ...(command === undefined || command.words.length === 0 ? [] : [command])];
}

const unquoted = (word: string): string =>
  word.replace(/'([^']*)'|"([^"]*)"|\\(.)/g, (_, single, double, escaped) => single ?? double ?? escaped);

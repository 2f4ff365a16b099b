import { Command, CommanderError } from 'commander';
import { UsageError } from '../host/errors.ts';
import { allCommands, loadWorkerCommand } from './all-commands.ts';
import { coloring } from './command/coloring.ts';
import type { CommandEntry } from './command/command.ts';
import type { Context, GlobalFlags } from './command/context.ts';
import { exitCodes } from './command/exit-codes.ts';
import { globalOptions, helpOption, versionOption } from './command/global-options.ts';
import { text } from './command/text.ts';
import { whatNow } from './command/what-now.ts';

/** The command line. */
export interface Program {
  /** Reads argv, loads the command, runs it and resolves with its exit code. Mistakes are a `UsageError`. */
  run(argv: readonly string[]): Promise<number>;
  /** The command's exit code if it ended with an `OperationError`. */
  failed(): number;
  /** The command's exit code if it ended with 0 but its result could not be written. */
  unwritten(): number;
}

export function createProgram(outside: Omit<Context, 'flags'>): Program {
  const exitCode: ExitCode = { ended: exitCodes.done, failed: exitCodes.failed, unwritten: exitCodes.failed };
  return {
    failed: () => exitCode.failed,
    unwritten: () => exitCode.unwritten,
    async run(argv) {
      if (argv.length === 0 && outside.host.out.isTTY) {
        outside.host.out.write(await whatNow(outside));
        return exitCodes.usage;
      }
      const program = globalFlags(new Command('holdfast'), outside);
      for (const entry of [...allCommands, loadWorkerCommand]) addCommand(program, entry, outside, exitCode);
      try {
        await program.parseAsync(argv, { from: 'user' });
      } catch (error) {
        return ended(error, argv);
      }
      return exitCode.ended;
    },
  };
}

/** The exit codes of the command that ran. */
interface ExitCode {
  ended: number;
  failed: number;
  unwritten: number;
}

function globalFlags(program: Command, { host, version }: Omit<Context, 'flags'>): Command {
  for (const { flags, summary } of globalOptions) program.option(flags, summary);
  return program
    .description(text.description)
    .version(version, versionOption.flags, versionOption.summary)
    .helpOption(helpOption.flags, helpOption.summary)
    .helpCommand('help [command]', 'print the help of a command')
    .showHelpAfterError(false)
    .configureHelp({
      helpWidth: host.out.isTTY ? Math.min(80, host.out.columns) : 80,
      minWidthToWrap: 10,
      showGlobalOptions: true,
    })
    .configureOutput({ writeOut: (words) => host.out.write(words), writeErr: () => {} })
    .exitOverride();
}

function addCommand(program: Command, entry: CommandEntry, outside: Omit<Context, 'flags'>, exitCode: ExitCode): void {
  const command = program.command(entry.name, { hidden: entry.hidden === true }).description(entry.summary);
  for (const { name, summary } of entry.arguments ?? []) command.argument(name, summary);
  for (const { flags, summary, repeats } of entry.options) {
    if (repeats) command.option(flags, summary, (word: string, before: string[] = []) => [...before, word]);
    else command.option(flags, summary);
  }
  command.action(async (...given: unknown[]) => {
    const operands = given
      .slice(0, -2)
      .flat()
      .filter((word): word is string => typeof word === 'string');
    exitCode.failed = entry.failed ?? exitCodes.failed;
    // A dry run has no result but its output.
    const isAnswer = entry.unwritten !== undefined && command.opts().dryRun !== true;
    exitCode.unwritten = isAnswer ? entry.unwritten : exitCode.failed;
    const perform = await entry.load();
    const context = { ...outside, flags: flagsOf(program, outside), holdfast: elsewhere(outside) };
    exitCode.ended = await perform(context, { options: typedOptions(command), operands });
  });
}

/** A container has an environment of its own. */
function elsewhere(outside: Omit<Context, 'flags'>): NonNullable<Context['holdfast']> {
  return (host, argv, environment) => createProgram({ ...outside, host, environment }).run(argv);
}

/** Those of the command line alone: commander has a value of its own for a `--no-…` that was not typed. */
function typedOptions(command: Command): Readonly<Record<string, unknown>> {
  const typed = Object.entries(command.opts()).filter(([key]) => command.getOptionValueSource(key) === 'cli');
  return Object.fromEntries(typed);
}

function flagsOf(program: Command, { environment, host }: Omit<Context, 'flags'>): GlobalFlags {
  const { config, json, quiet, verbose, color } = program.opts();
  const isColored = coloring(environment, color !== false);
  return {
    ...(typeof config === 'string' ? { config } : {}),
    json: json === true,
    quiet: quiet === true,
    verbose: verbose === true,
    color: isColored(host.out),
    talkColor: isColored(host.talk),
  };
}

/** Commander throws to end: after help and version with exit code 0, else for a mistake on the command line. */
function ended(error: unknown, argv: readonly string[]): number {
  if (!(error instanceof CommanderError)) throw error;
  if (error.exitCode === 0) return exitCodes.done;
  if (error.code === 'commander.help') throw new UsageError(['a command is missing: holdfast --help lists them.']);
  const said = error.message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ');
  const sentence = said.replace(
    /^missing required argument '(\w+)'$/,
    (_, name: string) => `${name.toUpperCase()} is missing: holdfast ${commandIn(argv)} --help says what it is`,
  );
  if (error.code === 'commander.unknownOption' && !sentence.endsWith('?)'))
    throw new UsageError([`${sentence}: holdfast ${commandIn(argv)} --help lists those that it has.`]);
  throw new UsageError([/[.?)]$/.test(sentence) ? sentence : `${sentence}.`]);
}

const commandIn = (argv: readonly string[]): string =>
  argv.find((word) => allCommands.some(({ name }) => name === word)) ?? 'COMMAND';

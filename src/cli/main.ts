import process from 'node:process';
import { OperationError, UsageError } from '../host/errors.ts';
import { nodeHost } from '../host/node.ts';
import { createProgram } from './arguments.ts';
import { exitCodes } from './command/exit-codes.ts';
import { say, sayMistakes } from './command/say.ts';
import { text } from './command/text.ts';
import { processTitle } from './process-title.ts';
import { version } from './version.ts';

/** Argv in, exit code out. The only place where a real host is made and where an exception ends. */

let outputError: Error | undefined;
const host = nodeHost((error) => {
  outputError ??= error;
});
const program = createProgram({ host, environment: process.env, version });

async function main(argv: readonly string[]): Promise<number> {
  try {
    return await program.run(argv);
  } catch (error) {
    return explain(error, argv);
  }
}

function explain(error: unknown, argv: readonly string[]): number {
  if (error instanceof UsageError) {
    sayMistakes(host.talk, error.mistakes);
    // Programs, such as holdfast on another machine, read the mistakes here and not from the sentences for people.
    if (argv.includes('--json')) host.out.write(`${JSON.stringify({ schemaVersion: 1, mistakes: error.mistakes })}\n`);
    return exitCodes.usage;
  }
  if (error instanceof OperationError) {
    sayMistakes(host.talk, [error.message]);
    return program.failed();
  }
  say(host.talk, text.defect(error instanceof Error ? error.message : String(error)));
  if (argv.includes('--verbose') && error instanceof Error) host.talk.write(`${error.stack}\n`);
  return exitCodes.defect;
}

const title = processTitle(process.argv.slice(2));
if (title !== undefined) process.title = title;
const ended = await main(process.argv.slice(2));
await flushed(process.stdout);
const exitCode = outputError === undefined || ended !== exitCodes.done ? ended : program.unwritten();
if (outputError !== undefined)
  sayMistakes(host.talk, [`Standard output could not be written: ${outputError.message}.`]);
await flushed(process.stderr);
// Open sockets, such as a probe of a target that does not answer, must not keep the process alive.
process.exit(exitCode);

/** A pipe may still hold back what was written. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve());
  });
}

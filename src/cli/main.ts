import process from 'node:process';
import { OperationError, UsageError } from '../host/errors.ts';
import { nodeHost } from '../host/node.ts';
import { createProgram } from './arguments.ts';
import { exitCodes } from './command/exit-codes.ts';
import { text } from './command/text.ts';
import { version } from './version.ts';

/** Argv in, exit code out. The only place where a real host is made and where an exception ends. */
let lost: Error | undefined;
const host = nodeHost((error) => {
  lost ??= error;
});
const program = createProgram({ host, environment: process.env, version });

async function main(argv: readonly string[]): Promise<number> {
  try {
    return await program.run(argv);
  } catch (error) {
    return explain(error, argv.includes('--verbose'));
  }
}

function explain(error: unknown, verbose: boolean): number {
  if (error instanceof UsageError) {
    host.talk.write(text.mistakes(error.mistakes));
    return exitCodes.usage;
  }
  if (error instanceof OperationError) {
    host.talk.write(text.mistakes([error.message]));
    return program.failed();
  }
  host.talk.write(text.defect(error instanceof Error ? error.message : String(error)));
  if (verbose && error instanceof Error) host.talk.write(`${error.stack}\n`);
  return exitCodes.defect;
}

const code = await main(process.argv.slice(2));
await written(process.stdout);
const told = lost === undefined || code !== exitCodes.done ? code : program.unheard();
if (lost !== undefined) host.talk.write(text.mistakes([`Standard output could not be written: ${lost.message}.`]));
await written(process.stderr);
// What nobody waits for any more, such as a probe of a hanging target, may not hold the process up.
process.exit(told);

/** A pipe may not have taken everything yet. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve());
  });
}

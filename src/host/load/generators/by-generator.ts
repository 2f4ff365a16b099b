import { OperationError } from '../../errors.ts';
import type { Command, CommandResult, Host, LoadPlan, LoadTold } from '../../host.ts';
import { longestSeconds } from '../worker.ts';
import { k6Command, k6Counts, k6Script } from './k6.ts';
import { ohaCommand, ohaCounts } from './oha.ts';
import { type GeneratorCounts, toldOf } from './told.ts';
import { vegetaAttack, vegetaEncode, vegetaTally, vegetaTargets } from './vegeta.ts';

export type GeneratorHost = Pick<Host, 'clock' | 'run' | 'files' | 'random'>;
type Generator = (at: Running, plan: LoadPlan) => Promise<GeneratorCounts>;

/** A generator under way. */
interface Running {
  readonly host: GeneratorHost;
  readonly start: (command: Command, stdin?: string) => Promise<CommandResult>;
}

export const generatorsByName: Readonly<Record<string, Generator>> = {
  k6: async ({ start }, plan) => k6Counts((await start(k6Command, k6Script(plan))).stdout),
  oha: async ({ start }, plan) => ohaCounts((await start(ohaCommand(plan))).stdout),
  vegeta: byVegeta,
};

/** Beyond the time within which a load has to end, for the program to start and to report. */
const spareSeconds = 30;

/** Makes a load by another program of this machine. Figures that it does not report stay unknown. */
export async function loadByGenerator(
  host: GeneratorHost,
  name: string,
  plan: LoadPlan,
  signal?: AbortSignal,
): Promise<LoadTold> {
  const generator = generatorsByName[name];
  if (generator === undefined)
    throw new OperationError({ tried: 'make a load by', on: name, reason: 'it is not known' });
  const { PATH = '/usr/local/bin:/usr/bin:/bin', HOME = '/tmp' } = process.env;
  const start = async (command: Command, stdin?: string): Promise<CommandResult> => {
    const timeoutSeconds = longestSeconds(plan) + spareSeconds;
    const result = await host.run(command, {
      env: { PATH, HOME },
      timeoutSeconds,
      ...(signal === undefined ? {} : { signal }),
      ...(stdin === undefined ? {} : { stdin }),
    });
    if (result.exitCode !== 0) throw failed(name, result);
    return result;
  };
  const [startedAt, begun] = [host.clock.wallAt(), host.clock.monotonicSeconds()];
  const counts = await generator({ host, start }, plan).catch((error: unknown) => {
    throw error instanceof SyntaxError ? unreadable(name, error) : error;
  });
  return toldOf(plan, counts, { startedAt, seconds: host.clock.monotonicSeconds() - begun });
}

function failed(name: string, { exitCode, stderr, timedOut }: CommandResult): OperationError {
  const reason = timedOut ? 'it did not end' : `exit code ${exitCode}: ${stderr.trim().slice(-300)}`;
  const next =
    exitCode === 127 ? `Install ${name} where the requests are made, or leave load.generator out` : undefined;
  return new OperationError({ tried: 'make the load by', on: name, reason, ...(next === undefined ? {} : { next }) });
}

const unreadable = (name: string, { message }: Error): OperationError =>
  new OperationError({
    tried: 'read what was told by',
    on: name,
    reason: `it is not the JSON of this generator: ${message}`,
  });

/** vegeta's results are in files: it writes them binary, and then as a line of JSON for each request. */
async function byVegeta({ host, start }: Running, plan: LoadPlan): Promise<GeneratorCounts> {
  const { files, random } = host;
  const folder = `/tmp/holdfast-load-${Math.floor(2 ** 48 * random('load')()).toString(16)}`;
  await files.makeFolder(folder, { mode: 0o700 });
  try {
    const [targets, results, lines] = [`${folder}/targets`, `${folder}/results`, `${folder}/lines`];
    await files.create(targets, vegetaTargets(plan));
    await start(vegetaAttack(plan, targets, results));
    await start(vegetaEncode(results, lines));
    const tally = vegetaTally();
    for await (const line of linesOf(files.chunks(lines))) tally.line(line);
    return tally.counts();
  } finally {
    await files.remove(folder);
  }
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest;
}

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Side } from './behaviours/play-all.ts';
import { down, endChildren, install, kitOf, up } from './kit.ts';
import { leftBehind } from './left-behind.ts';
import { type Choices, type Outcome, type Part, parts } from './parts.ts';

/** `npm run referee -- [PART…] [--out DIR] [--keep]`: docs/real-cluster.md says what it does and what it needs. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string' },
    keep: { type: 'boolean', default: false },
    scenario: { type: 'string' },
    count: { type: 'string', default: '10' },
    only: { type: 'string' },
    image: { type: 'string', default: join(import.meta.dirname, '../../holdfast_0.1.0_amd64.oci.tar') },
    side: { type: 'string' },
    seeds: { type: 'string', default: '5' },
  },
});
const unknown = positionals.filter((name) => !(name in parts));
if (unknown.length > 0)
  throw new Error(`there is no part ${unknown.join(', ')}: the parts are ${Object.keys(parts).join(', ')}`);
const out = values.out ?? join(tmpdir(), `holdfast-referee-${process.pid}`);
const kit = await kitOf(process.env);
process.exitCode = await (values.keep ? play() : playOnOwnCluster());

async function playOnOwnCluster(): Promise<number> {
  const interrupted = endWhenInterrupted();
  try {
    // What a killed run left.
    await down(kit);
    await install(kit);
    await up(kit);
    return await play();
  } finally {
    // What fails after the signal fails by it.
    await (interrupted.ended ?? end());
  }
}

async function play(): Promise<number> {
  const choices: Choices = {
    scenarios: values.scenario?.split(','),
    count: Number(values.count),
    image: values.image,
    only: values.only?.split(','),
    side: values.side as Side | undefined,
    seeds: Number(values.seeds),
  };
  const outcomes: Outcome[] = [];
  for (const name of positionals.length > 0 ? positionals : Object.keys(parts)) {
    const folder = join(out, name);
    mkdirSync(folder, { recursive: true });
    const outcome = await (parts[name] as (part: Part) => Promise<Outcome>)({ kit, folder, choices });
    outcomes.push(outcome);
    writeFileSync(join(folder, 'result.md'), `${outcome.text}\n`);
    process.stdout.write(`## ${name}\n\n${outcome.text}\n\n`);
  }
  return outcomes.every(({ isAsExpected }) => isAsExpected) ? 0 : 1;
}

interface Interrupted {
  ended: Promise<void> | undefined;
}

/** The first signal ends the cluster, then this process; a second one does not stop that. */
function endWhenInterrupted(): Interrupted {
  const interrupted: Interrupted = { ended: undefined };
  for (const [signal, number] of [
    ['SIGINT', 2],
    ['SIGTERM', 15],
    ['SIGHUP', 1],
  ] as const)
    process.on(signal, () => {
      interrupted.ended ??= end().finally(() => process.exit(128 + number));
    });
  return interrupted;
}

/**
 * Ends what runs, brings the cluster down, and says what is left of it. Without `--out` the results were only printed.
 */
async function end(): Promise<void> {
  await endChildren();
  await down(kit);
  // An interrupted `up` may have started something that it had not written down yet.
  if (leftBehind(kit).length > 0) await down(kit);
  const left = leftBehind(kit);
  process.stdout.write(left.length === 0 ? 'Nothing of the cluster is left.\n' : `Left behind:\n${left.join('\n')}\n`);
  if (left.length > 0) process.exitCode = 1;
  if (values.out === undefined) rmSync(out, { recursive: true, force: true });
}

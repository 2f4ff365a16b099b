import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { BrokenKind } from '../test/deployment/support/broken-commits.ts';
import { isTorn, type Visit, visit } from '../test/deployment/support/visitors.ts';
import type { Way } from './deploy-ways.ts';
import { median } from './median.ts';
import { rest, runWay } from './run-way.ts';

const requestsPerSecond = 60;

/** What visitors got of one deploy, and how long it took. */
interface Round {
  readonly failed: number;
  readonly torn: number;
  readonly seconds: number;
  /**
   * Each kind of failed request, and each worker of php-fpm that crashed: a failure that comes once has to explain
   * itself.
   */
  readonly failures: readonly string[];
}

/**
 * Broken commits of each kind, each followed by a whole one, at 60 requests a second: holdfast's against the script's
 * turn by turn. True where holdfast's visitors got no more errors and torn pages than the script's, holdfast took no
 * longer, and no whole commit cost a request.
 */
export async function compareBroken(
  t: TestContext,
  script: Way,
  holdfast: Way,
  { rounds, kinds }: { readonly rounds: number; readonly kinds: readonly BrokenKind[] },
): Promise<boolean> {
  console.log(
    `${rounds} broken commits of each kind (${kinds.join(', ')}) at ${requestsPerSecond} requests/s, each followed by a whole one:`,
  );
  let isGood = true;
  for (const kind of kinds) {
    const [theirs, ours] = [new Tally(), new Tally()];
    for (let round = 0; round < rounds; round++) {
      await theirs.add(t, script, kind, round);
      await ours.add(t, holdfast, kind, round);
    }
    const ratio = ours.wallSeconds / theirs.wallSeconds;
    isGood &&= ours.errors <= theirs.errors && ratio <= 1 && ours.errorsOfWhole === 0;
    console.log(
      `  ${kind.padEnd(14)} script ${theirs}; holdfast ${ours}; ${ratio.toFixed(2)} of the script's wall time`,
    );
  }
  return isGood;
}

class Tally {
  readonly #broken: Round[] = [];
  readonly #whole: Round[] = [];

  async add(t: TestContext, way: Way, kind: BrokenKind, round: number): Promise<void> {
    const { site, deploy } = way;
    const name = kind.replaceAll(' ', '');
    await bringUp(way, `before${name}${round}`);
    site.pushVersion(`${name}${round}`, { broken: kind });
    this.#broken.push(await visited(t, site, deploy));
    site.pushVersion(`after${name}${round}`);
    this.#whole.push(await visited(t, site, deploy));
    const { failures = [] } = this.#whole.at(-1) ?? {};
    for (const failure of failures) console.log(`    ${way.name}, whole one after ${kind} ${round}: ${failure}`);
  }

  get wallSeconds(): number {
    return median(this.#broken.map(({ seconds }) => seconds));
  }

  get errors(): number {
    return errorsOf(this.#broken);
  }

  get errorsOfWhole(): number {
    return errorsOf(this.#whole);
  }

  toString(): string {
    const rounds = this.#broken.map(({ failed, torn }) => `${failed}+${torn}`).join(' ');
    return `${rounds} failed+torn, ${this.wallSeconds.toFixed(2)} s (whole ones: ${this.#whole.map(({ failed, torn }) => `${failed}+${torn}`).join(' ')})`;
  }
}

/**
 * A broken commit that the way before has left live would count in every round after it. Without visitors each of them
 * brings a whole one.
 */
async function bringUp({ site, deploy }: Way, version: string): Promise<void> {
  for (let attempt = 0; attempt < 3 && (await site.get('/')).status !== 200; attempt++) {
    site.pushVersion(`${version}${attempt}`);
    await runWay(site, deploy);
    await rest();
  }
}

function errorsOf(rounds: readonly Round[]): number {
  return rounds.reduce((sum, { failed, torn }) => sum + failed + torn, 0);
}

async function visited(t: TestContext, site: Way['site'], deploy: readonly string[]): Promise<Round> {
  const known = fpmLog(site).length;
  const visitors = visit(t, site.url, requestsPerSecond);
  await rest(1);
  const { seconds } = await runWay(site, deploy);
  await rest();
  const visits = await visitors.stop();
  const failed = visits.filter(({ status }) => status !== 200);
  const crashes = fpmLog(site)
    .slice(known)
    .split('\n')
    .filter((line) => /exited on signal/.test(line));
  return {
    failed: failed.length,
    torn: visits.filter(isTorn).length,
    seconds,
    failures: [...kindsOf(failed), ...crashes],
  };
}

const fpmLog = ({ folder }: Way['site']): string => readFileSync(join(folder, 'fpm.log'), 'utf8');

function kindsOf(failed: readonly Visit[]): readonly string[] {
  const kinds = Map.groupBy(failed, ({ status, body }) => `${status} ${body.replaceAll(/\s+/g, ' ').slice(0, 200)}`);
  return [...kinds].map(([kind, each]) => `${each.length} × ${kind} (first at ${each[0]?.at.toFixed(2)} s)`);
}

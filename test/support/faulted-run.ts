import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { rehearsalSite } from '../../src/cli/cluster/rehearsal-site.ts';
import { connect } from '../../src/cluster/client.ts';
import type { Host, HttpRequest } from '../../src/host/host.ts';
import { apiServerUrl } from '../../src/rehearsal/host.ts';
import { exitCodeOf } from '../../src/validation/judge/exit-code.ts';
import { openIntents } from '../../src/validation/record/open-intents.ts';
import { runFiles } from '../../src/validation/record/run-folder.ts';
import { apiFaults, cloudFaults, type FaultName, isCloud, isWrite, withFault } from './api-faults.ts';
import { cutPoints } from './cut-points.ts';
import { asTheyAre } from './disk.ts';
import { recovered } from './recovered.ts';
import { type Rehearsed, type RehearseOptions, rehearse } from './rehearse.ts';
import { secrets } from './secrets.ts';
import { stillUnlike } from './still-unlike.ts';
import { type Expected, expectedHalfWay } from './world-picture.ts';

/** Which requests of a run fail: `times` requests, from the n-th on. */
export interface Fault {
  readonly name: FaultName;
  readonly n: number;
  readonly times: number;
}
export interface FaultedRun extends Rehearsed {
  readonly exitCode: number;
  /** Every violation, one sentence each. */
  readonly troubles: readonly string[];
}

/** A run in which the requests of the fault fail, and every way in which it did not end as it must. */
export async function faultedRun(
  t: Pick<TestContext, 'after'>,
  { name, n, times }: Fault,
  expected: Expected,
  options: RehearseOptions,
): Promise<FaultedRun> {
  let seen = 0;
  const run = await rehearse(t, {
    ...options,
    site: lettingIn,
    through: (host) => ({
      ...host,
      http: (request, signal) => {
        seen += 1;
        const wrong = seen >= n && seen < n + times;
        return (wrong ? withFault(name, host) : host.http)(request, signal);
      },
    }),
  });
  const seed = options.seed ?? 1;
  const exitCode = exitCodeOf(run.facts, run.result);
  const world = JSON.stringify(run.rehearsal.world.save());
  const later =
    exitCode === 5 ? recoveredLater(t, run, world, seed, expected) : leftAsBefore(run, world, seed, expected);
  return { ...run, exitCode, troubles: [...dishonesties(run, exitCode), ...(await later)] };
}

/** `recover` undoes the open actions once the API server answers again. */
async function recoveredLater(
  t: Pick<TestContext, 'after'>,
  rehearsed: Rehearsed,
  world: string,
  seed: number,
  expected: Expected,
): Promise<readonly string[]> {
  const files = [runFiles.journal, runFiles.downtimeLog].map((name) => join(rehearsed.folder, name));
  const left = { world, disk: asTheyAre(...files) };
  return (await recovered(t, { rehearsed, seed, expected }, left, 'killed', () => 0)).troubles;
}

async function leftAsBefore(
  run: Rehearsed,
  world: string,
  seed: number,
  expected: Expected,
): Promise<readonly string[]> {
  const open = openIntents(run.facts).map(({ action }) => `${action} is open`);
  return [...open, ...(await stillUnlike(world, seed, reached(run, expected)))];
}

/** A run that ended before its application was there leaves fewer nodes. */
function reached({ facts }: Rehearsed, expected: Expected): Expected {
  const isComplete = facts.some(({ type }) => type === 'application-verified');
  return isComplete ? expected : expectedHalfWay(expected);
}

/** Asks for credentials again after they were refused, as with a kubeconfig. */
function lettingIn(host: Host) {
  const headers = async () => ({ authorization: `Bearer ${secrets.bearerToken}` });
  return { ...rehearsalSite({ host }), cluster: connect(host, { server: apiServerUrl, headers }) };
}

function dishonesties({ facts, result }: Rehearsed, exitCode: number): readonly string[] {
  const failed = facts.flatMap((fact) =>
    fact.type === 'action-undone' && fact.state === 'failed' ? [fact.because] : [],
  );
  return [
    ...(facts.at(-1)?.type === 'run-finished' ? [] : ['the run has no end']),
    ...(exitCode === 0 && result.verdict !== 'pass' ? [`exit 0 with ${result.verdict}`] : []),
    ...failed
      .filter((because) => !/By hand: (kubectl|aws) /.test(because))
      .map((because) => `no command in: ${because}`),
  ];
}

/** One request of a run, and the fact before it. */
export interface Asked {
  readonly n: number;
  readonly request: HttpRequest;
  readonly after: string;
}

/** A run without a fault: all its requests, and what it leaves. */
export async function faultless(
  t: Pick<TestContext, 'after'>,
  options: RehearseOptions,
): Promise<{ readonly asked: readonly Asked[]; readonly expected: Expected }> {
  const asked: Asked[] = [];
  let after = '';
  const wholly = {
    ...options,
    site: lettingIn,
    onFact: ({ type }) => {
      after = type;
    },
    through: (host) => ({
      ...host,
      http: (request, signal) => {
        asked.push({ n: asked.length + 1, request, after });
        return host.http(request, signal);
      },
    }),
  } satisfies RehearseOptions;
  const { expected } = await cutPoints(t, wholly, () => false);
  return { asked, expected };
}

/** The first request of each sort: the same request at the same stage. */
export function eachSort(asked: readonly Asked[]): readonly Asked[] {
  const sorts = new Map<string, Asked>();
  for (const one of asked) {
    const key = `${one.after} ${one.request.method} ${one.request.url.replaceAll(/resourceVersion=\d+/g, '')}`;
    if (!sorts.has(key)) sorts.set(key, one);
  }
  return [...sorts.values()];
}

/** The faults of a request; only a request that changes something can be carried out with its response lost. */
export function faultsOf(request: HttpRequest): readonly FaultName[] {
  const names: readonly FaultName[] = isCloud(request) ? cloudFaults : apiFaults;
  return names.filter((name) => name !== 'lost' || isWrite(request));
}

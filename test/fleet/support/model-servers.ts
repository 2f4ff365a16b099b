import type { TestContext } from 'node:test';
import type { VirtualClock } from '@holdfast/embedded-cluster';
import { randomStreams } from '../../../packages/embedded-cluster/src/outside/random.ts';
import { virtualClock } from '../../../packages/embedded-cluster/src/time/clock.ts';
import { type ServersSettings, serversSchema } from '../../../src/deployment/settings/servers.ts';
import type { FleetDocument } from '../../../src/fleet/document.ts';
import type { Fleet, FleetFact } from '../../../src/fleet/fleet.ts';
import { readServers } from '../../../src/fleet/read-servers.ts';
import { rollOut } from '../../../src/fleet/roll-out.ts';
import type { CommandResult, Host, Signal } from '../../../src/host/host.ts';
import { TEN } from '../../support/scripted-host.ts';

export const oldCommit = '0'.repeat(40);
export const newCommit = '1'.repeat(40);
export const laterCommit = '2'.repeat(40);

/** What goes wrong on a server; all times in seconds. */
export interface Trouble {
  /** No connection is possible at all. */
  readonly unreachable?: true;
  readonly version?: string;
  readonly frozen?: true;
  /** Whether the new commit passes its health check; true where absent. */
  readonly healthy?: false;
  /** The connection of the deploy or rollback ends so long after its start. */
  readonly cutAfter?: number;
  /** After the cut nobody reaches it for so long. */
  readonly awayFor?: number;
  /** The program is killed so long after its start. */
  readonly killedAfter?: number;
  /** The script of the deploy is on its way for so long. */
  readonly arrivesAfter?: number;
  /** Somebody pushes so long after the beginning; the branch is then at `laterCommit`. */
  readonly pushedAfter?: number;
  /** The settings file that its line names. */
  readonly config?: string;
  /** Its origin does not have that commit. */
  readonly lacks?: string;
  readonly drainFails?: true;
  readonly restoreFails?: true;
}

/**
 * A server in memory that holds the program's promises: a run ends alone, and one that was killed is repaired by
 * `doctor --repair`.
 */
export class ModelServer {
  head = oldCommit;
  /** Between the reset and the end of a run. */
  half = false;
  drained = 0;
  restored = 0;
  runs: { id: string; document?: object }[] = [];
  running: string | undefined;
  reachableAt = 0;
  readonly trouble: Trouble;
  constructor(trouble: Trouble) {
    this.trouble = trouble;
  }
}

const runSeconds = 10;
const resetSeconds = 4;

/** The fleet over a host whose ssh leads to model servers, in virtual time. */
export function modelFleet(
  t: Pick<TestContext, 'after'>,
  troubles: Readonly<Record<string, Trouble>>,
  settings: Readonly<Record<string, unknown>> = {},
  received: (clock: VirtualClock) => Signal | undefined = () => undefined,
) {
  const clock = virtualClock(TEN);
  t.after(() => clock.close());
  const models = new Map(Object.entries(troubles).map(([name, trouble]) => [name, new ModelServer(trouble)]));
  const lines = Object.entries(troubles).map(([name, { config }]) => ({
    place: name,
    text: config === undefined ? name : `${name} config=${config}`,
  }));
  const read = readServers(lines, { options: {}, program: 'holdfast' });
  if ('mistakes' in read) throw new Error(read.mistakes.join());
  const facts: FleetFact[] = [];
  const run: Host['run'] = ([, , shell = '', ...words], { stdin = '' }) => {
    const [order, name = ''] = shell.split(' ');
    const model = models.get(order === 'ssh' ? (words.at(-2) ?? '') : name);
    if (model === undefined) throw new Error(`no server ${shell}`);
    if (order !== 'ssh') return Promise.resolve(around(model, order ?? ''));
    return answer(clock, model, stdin);
  };
  const fleet: Fleet = {
    remote: { host: { clock, run, random: randomStreams('1') } as unknown as Host, environment: {}, sshCommand: 'ssh' },
    settings: serversSchema.parse({
      drain: 'drain {host}',
      restore: 'restore {host}',
      ...settings,
    }) satisfies ServersSettings,
    version: '1.2.3',
    dryRun: false,
    onFact: (fact) => facts.push(fact),
    received: () => received(clock),
  };
  /** The whole roll-out, and as many seconds after it as the servers may need to end what they do. */
  const rolledOut = (dryRun = false): Promise<FleetDocument> =>
    clock.run(async () => {
      const document = await rollOut({ ...fleet, dryRun }, read.settings, { command: 'deploy', words: [] });
      await clock.sleep(1000);
      return document;
    });
  return { models, facts, rolledOut };
}

function around(model: ModelServer, order: string): CommandResult {
  if (order === 'drain') model.drained++;
  else model.restored++;
  const fails = order === 'drain' ? model.trouble.drainFails : model.trouble.restoreFails;
  return result(fails ? 1 : 0, '', fails ? 'no such target' : '');
}

function result(exitCode: number, stdout: string, stderr = ''): CommandResult {
  return { exitCode, stdout, stderr, seconds: 1, timedOut: false };
}

const cut = result(255, '', 'Connection to server closed by remote host.');

async function answer(clock: VirtualClock, model: ModelServer, script: string): Promise<CommandResult> {
  await clock.sleep(0.2);
  if (model.trouble.unreachable || clock.monotonicSeconds() < model.reachableAt) return cut;
  const id = /--run-id=(\S+)/.exec(script)?.[1];
  if (id !== undefined) return overConnection(clock, model, () => perform(clock, model, script, id));
  return script.includes('--repair') ? repair(model) : told(clock, model, script);
}

/** `--version`, `show`, `status` and `deploy --dry-run`, as far as the script asks for them. */
function told(clock: VirtualClock, { trouble, runs, running, head }: ModelServer, script: string): CommandResult {
  const shown = runs.filter((one) => script.includes(`show ${one.id}`)).map((run) => ({ run, facts: [] }));
  const lock = running === undefined ? null : { owner: { pid: 7 }, dead: false };
  const status = { lastRun: runs.at(-1) ?? null, lock, frozen: trouble.frozen ? { reason: 'a holiday' } : null };
  const newest = branchOf(clock, trouble);
  const plans = script.includes('--dry-run')
    ? [{ plan: [], refusals: [], branch: 'main', previousCommit: head, newCommit: newest }]
    : [];
  const versions = script.includes('--version') ? [trouble.version ?? '1.2.3'] : [];
  const documents = [...shown, status, ...plans].map((one) => JSON.stringify(one));
  return result(0, [Math.floor(clock.wallAt() / 1000), ...versions, ...documents].join('\n'));
}

/** What the client sees: the end, or the cut. The server's side goes on. */
async function overConnection(
  clock: VirtualClock,
  model: ModelServer,
  work: () => Promise<CommandResult>,
): Promise<CommandResult> {
  const { cutAfter, awayFor = 0 } = model.trouble;
  const ended = work();
  if (cutAfter === undefined) return ended;
  const lost = clock.sleep(cutAfter).then(() => {
    model.reachableAt = clock.monotonicSeconds() + awayFor;
    return cut;
  });
  return Promise.race([ended, lost]);
}

async function perform(clock: VirtualClock, model: ModelServer, script: string, id: string): Promise<CommandResult> {
  await clock.sleep(model.trouble.arrivesAfter ?? 0);
  const notAfter = Number(/-le (\d+) /.exec(script)?.[1]);
  if (Math.floor(clock.wallAt() / 1000) > notAfter) return result(75, '');
  const record: { id: string; document?: Ended } = { id };
  model.runs.push(record);
  model.running = id;
  const lived = await lives(clock, model);
  model.running = undefined;
  if (!lived) return cut;
  model.half = false;
  const wanted = /--commit=(\S+)/.exec(script)?.[1] ?? branchOf(clock, model.trouble);
  record.document = end(model, id, wanted, / rollback (\S+)/.exec(script)?.[1]);
  return result(record.document.exitCode, `${JSON.stringify(record.document)}\n`);
}

/** The seconds of a run; false where the program was killed in one of them. */
async function lives(clock: VirtualClock, model: ModelServer): Promise<boolean> {
  const { killedAfter = Number.POSITIVE_INFINITY } = model.trouble;
  for (let second = 0; second < runSeconds; second++) {
    await clock.sleep(1);
    model.half = second >= resetSeconds;
    if (second + 1 >= killedAfter) return false;
  }
  return true;
}

interface Ended {
  readonly exitCode: number;
}

/** Where the branch of its origin is. */
function branchOf(clock: VirtualClock, { pushedAfter = Number.POSITIVE_INFINITY }: Trouble): string {
  return clock.monotonicSeconds() < pushedAfter ? newCommit : laterCommit;
}

/** Without the commit of a rollback it is a deploy of what is wanted. */
function end(model: ModelServer, id: string, wanted: string, commit: string | undefined): Ended {
  const [previousCommit, target] = [model.head, commit ?? wanted];
  const commits = { id, previousCommit, newCommit: target };
  if (target === model.trouble.lacks)
    return { ...commits, ...{ state: 'aborted', exitCode: 1, because: `Git fetch failed: origin has no ${target}` } };
  if (target === newCommit && model.trouble.healthy === false)
    return { ...commits, ...{ state: 'rolled-back', exitCode: 3, because: 'the health check failed (500)' } };
  model.head = target;
  return { ...commits, ...{ state: commit === undefined ? 'verified' : 'rolled-back', exitCode: 0, because: null } };
}

function repair(model: ModelServer): CommandResult {
  model.half = false;
  const id = '20261120T100000Z-ffff';
  const document = {
    id,
    state: 'unchanged',
    exitCode: 0,
    previousCommit: model.head,
    newCommit: model.head,
    because: null,
  };
  model.runs.push({ id, document });
  return result(0, JSON.stringify(document));
}

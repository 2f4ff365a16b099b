import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { EmbeddedCluster, SavedWorld } from '@holdfast/embedded-cluster';
import { rehearsalSite } from '../../../src/cli/cluster/rehearsal-site.ts';
import type { Host, Probe } from '../../../src/host/host.ts';
import { openJournal } from '../../../src/journal/journal.ts';
import type { EmbeddedProgram } from '../../../src/rehearsal/container-host.ts';
import { rehearsalHost } from '../../../src/rehearsal/host.ts';
import { recover } from '../../../src/validation/procedure/recover.ts';
import type { ValidationFact } from '../../../src/validation/record/events.ts';
import { runFiles } from '../../../src/validation/record/run-folder.ts';
import { scaleUp } from '../../../src/validation/scenarios/scale-up.ts';
import { singleReplica } from '../../../src/validation/scenarios/single-replica.ts';
import { probeProgram } from '../../support/probe-program.ts';
import { quietHost } from '../../support/quiet-host.ts';
import { type RehearseOptions, rehearse } from '../../support/rehearse.ts';
import { rowIn } from '../../support/results.ts';

const vantages = ['local', 'us-east-1a', 'us-east-1b', 'us-east-1c'];

/** A probe whose network fails while `isCut`. */
const cutWhile =
  (probe: Probe, isCut: () => boolean): Probe =>
  async (target, connection, timeoutSeconds) =>
    isCut()
      ? { at: 0, status: 0, seconds: 0.002, connection, error: 'dns', reason: 'SERVFAIL', phases: {} }
      : probe(target, connection, timeoutSeconds);

/** `at` of a failed sample is the moment of its start. */
const timed =
  (host: Host, probe: Probe): Probe =>
  async (...asked) => {
    const at = host.clock.wallAt();
    return { ...(await probe(...asked)), at };
  };

const cutHost = (host: Host, isCut: () => boolean): Host => ({
  ...host,
  probe: timed(host, cutWhile(host.probe, isCut)),
});

/** For how long the network of this machine is broken in the window of the scenario, and then that of one zone. */
const cutMs = 12_000;
const pauseMs = 15_000;

function withProbes(t: Parameters<typeof rehearse>[0], options: RehearseOptions = {}) {
  return rehearse(t, {
    scenarios: [singleReplica],
    settings: { vantage: 'in-cluster' },
    world: { program: probeProgram() },
    ...options,
  });
}

type Run = Awaited<ReturnType<typeof withProbes>>;
const outagesIn = ({ result }: Run) => result.outages.filter(({ scenario }) => scenario !== null);
const podsLeft = async ({ rehearsal }: Pick<Run, 'rehearsal'>) =>
  (await rehearsal.world.kubernetes('test').list('Pod', { namespace: 'default' }))
    .map(({ metadata }) => metadata.name)
    .filter((name) => name.startsWith('holdfast-probe'));

test('an outage that only this machine sees, and one that only one zone sees, are told to be so; the pods are gone after the run, or after recover', async (t) => {
  let now = () => 0;
  let openedAt = Number.POSITIVE_INFINITY;
  const isCutFrom = (startMs: number) => () => now() >= openedAt + startMs && now() < openedAt + startMs + cutMs;
  const facts: ValidationFact[] = [];
  const died: { saved?: SavedWorld; facts?: readonly ValidationFact[] } = {};
  const run = await withProbes(t, {
    scenarios: [scaleUp],
    world: {
      program: probeProgram((process) =>
        process.zone === 'us-east-1b'
          ? { ...process, host: cutHost(process.host, isCutFrom(cutMs + pauseMs)) }
          : process,
      ),
    },
    through(host) {
      now = () => host.clock.wallAt();
      return cutHost(host, isCutFrom(0));
    },
    onFact(fact, { world }) {
      facts.push(fact);
      if (fact.type === 'window-opened') openedAt = now();
      if (fact.type !== 'probes-placed') return;
      died.facts = [...facts];
      died.saved = JSON.parse(JSON.stringify(world.save()));
    },
  });
  const { vantages: seen, scenarios, findings } = run.result;
  assert.deepEqual(
    seen?.map(({ name, log }) => [name, log]),
    vantages.map((name, index) => [name, index === 0 ? 'downtime.log' : `downtime-${index + 1}.log`]),
  );
  for (const { log } of seen ?? [])
    assert.match(readFileSync(join(run.folder, log), 'utf8'), /^# holdfast downtime-log 1 target=http/);
  const outages = outagesIn(run);
  assert.deepEqual(
    outages.map(({ seenBy, notSeenBy, blind }) => ({ seenBy, notSeenBy, blind })),
    ['local', 'us-east-1b'].map((name) => ({
      seenBy: [name],
      notSeenBy: vantages.filter((other) => other !== name),
      blind: [],
    })),
  );
  for (const { lowerSeconds, upperSeconds } of outages)
    assert.ok(lowerSeconds <= 12 && upperSeconds >= 11 && upperSeconds - lowerSeconds <= 2.1);
  assert.equal(scenarios.find(({ name }) => name === 'scale-up')?.verdict, 'fail', 'down for one is down');
  assert.match(
    findings.find(({ id }) => id === 'vantage-points')?.observed ?? '',
    /^12\.0 s from \S+ for local; not for us-east-1a, us-east-1b, us-east-1c$/,
  );
  assert.deepEqual(await podsLeft(run), []);
  await recovers(run, died);
});

async function recovers(
  { folder }: Pick<Run, 'folder'>,
  { saved, facts = [] }: { readonly saved?: SavedWorld; readonly facts?: readonly ValidationFact[] },
): Promise<void> {
  const later = rehearsalHost({ seed: '1', real: quietHost(), saved });
  assert.equal((await podsLeft({ rehearsal: later })).length, 3);
  const ends = await later.run(async () => {
    const journal = await openJournal<ValidationFact>(later.host, `${folder}/again-${runFiles.journal}`);
    const undone = await recover(rehearsalSite(later), facts, journal, { cleanup: false });
    await journal.close();
    return undone;
  });
  assert.deepEqual(
    ends.map(({ intent, undo }) => [intent.subject, undo.state]),
    ['c', 'b', 'a'].map((zone) => [`Pod default/holdfast-probe-us-east-1${zone}-test`, 'undone']),
  );
  assert.deepEqual(await podsLeft({ rehearsal: later }), []);
}

test('a probe pod that dies is a gap, and one whose container is restarted goes on behind a gap; the others see on', async (t) => {
  const crash = (world: EmbeddedCluster) => {
    const [container] = world.machines.containersOf('default/holdfast-probe-us-east-1b-test');
    if (container !== undefined) world.machines.crash(container.id, 1);
  };
  const run = await withProbes(t, {
    onFact(fact, { world }) {
      if (fact.type === 'scenario-started') {
        const cluster = world.kubernetes('test');
        void cluster.delete('Pod', { namespace: 'default', name: 'holdfast-probe-us-east-1c-test' });
      }
      // The second time the kubelet waits for 10 s before it starts it again.
      if (fact.type === 'scenario-started' || fact.type === 'window-opened') crash(world);
    },
  });
  const [outage] = outagesIn(run);
  assert.ok(outage?.blind?.includes('us-east-1c'), JSON.stringify(outage));
  const row = rowIn(run.result, 'single-replica');
  assert.equal(row.downtime?.unknown, 0, 'what some did not see the others did');
  assert.equal(row.verdict, 'pass');
  const log = readFileSync(join(run.folder, 'downtime-3.log'), 'utf8').split('\n');
  assert.equal(log.filter((line) => line.startsWith('# holdfast downtime-log ')).length, 3);
  const starts = log.flatMap((line) => (/^\S+Z \d{3} [\d.]+( error=\w+)?$/.test(line) ? [line.slice(0, 24)] : []));
  assert.equal(new Set(starts).size, starts.length, 'no line came twice');
  const restarted = run.result.vantages?.find(({ name }) => name === 'us-east-1b');
  assert.ok((restarted?.unknown ?? 0) >= 8, `the gap is unknown, never up: ${restarted?.unknown}`);
  const states = run.result.undo.filter(({ action }) => action === 'start-probe').map(({ state }) => state);
  assert.deepEqual(states, ['undone', 'undone', 'not-needed']);
});

test('the pods are gone after a run that a signal ended', async (t) => {
  const run = await withProbes(t, {
    onFact(fact, _rehearsal, send) {
      if (fact.type === 'application-verified') send('SIGTERM');
    },
  });
  assert.ok(run.facts.some(({ type }) => type === 'run-interrupted'));
  assert.deepEqual(await podsLeft(run), []);
});

test('a probe that does not start ends the run before anything is disturbed, and the run says why', async (t) => {
  const program: EmbeddedProgram = { isIn: ({ image }) => image === 'holdfast', main: async () => 2 };
  const run = await withProbes(t, { world: { program } });
  const failed = run.facts.find(({ type }) => type === 'run-failed');
  assert.match(
    JSON.stringify(failed),
    /Starting the probe Pod default\/holdfast-probe-us-east-1[abc]-test: its program ended with exit code 2/,
  );
  assert.ok(!run.facts.some((fact) => fact.type === 'action-intended' && fact.action !== 'start-probe'));
  assert.deepEqual(await podsLeft(run), []);
});

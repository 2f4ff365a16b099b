import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomStreams } from '@holdfast/embedded-cluster';
import { connect } from '../../../src/cluster/client.ts';
import { apiServerUrl } from '../../../src/rehearsal/host.ts';
import { exitCodeOf } from '../../../src/validation/judge/exit-code.ts';
import { openIntents } from '../../../src/validation/record/open-intents.ts';
import { disruptionBudget } from '../../../src/validation/scenarios/disruption-budget.ts';
import { dnsFailure } from '../../../src/validation/scenarios/dns-failure.ts';
import { scenarios } from '../../../src/validation/scenarios/index.ts';
import { nodeDrain } from '../../../src/validation/scenarios/node-drain.ts';
import { isWatch, isWrite, withFault } from '../../support/api-faults.ts';
import { eachSort, type Fault, faultedRun, faultless, faultsOf } from '../../support/faulted-run.ts';
import { rehearse } from '../../support/rehearse.ts';

/** Tries a few faults for each scenario; test/campaign/api-faults.ts tries each fault at each sort of request. */
const sample = 1;

for (const scenario of scenarios) {
  test(`after one failed request of ${scenario.name} everything is undone, and only observed results are reported`, async (t) => {
    const random = randomStreams(scenario.name)('faults');
    const options = { scenarios: [scenario] };
    const { asked: all, expected } = await faultless(t, options);
    const sorts = eachSort(all);
    for (let index = 0; index < sample; index += 1) {
      const asked = sorts[Math.floor(random() * sorts.length)];
      assert.ok(asked);
      const names = faultsOf(asked.request);
      const fault = { name: names[Math.floor(random() * names.length)] ?? '500', n: asked.n, times: 1 } as const;
      const { troubles, exitCode } = await faultedRun(t, fault, expected, options);
      const about = `${fault.name} for ${asked.request.method} ${asked.request.url} after ${asked.after}`;
      assert.deepEqual(troubles, [], about);
      assert.ok([0, 3, 4].includes(exitCode), `${about}: ${exitCode}`);
    }
  });
}

test('an API server that is lost during an action leads to exit 5 with the command to type, and recover undoes it', async (t) => {
  for (const [scenario, path, names] of [
    [nodeDrain, '/nodes/', ['401', 'hang']],
    [disruptionBudget, '/nodepools/', ['dropped', '429']],
    [dnsFailure, '/rrset/', ['500']],
  ] as const) {
    const options = { scenarios: [scenario] };
    const { asked, expected } = await faultless(t, options);
    const write = asked.findLast(
      ({ request, after }) => after === 'action-intended' && isWrite(request) && request.url.includes(path),
    );
    assert.ok(write, scenario.name);
    for (const name of names) {
      const fault: Fault = { name, n: write.n + 1, times: Number.POSITIVE_INFINITY };
      const { exitCode, troubles, facts } = await faultedRun(t, fault, expected, options);
      assert.deepEqual(troubles, [], `${scenario.name} ${name}`);
      assert.equal(exitCode, 5, `${scenario.name} ${name}`);
      assert.ok(openIntents(facts).length > 0);
    }
  }
});

test('a refused credential is renewed, and the run goes on', async (t) => {
  let seen = 0;
  const asked: boolean[] = [];
  const run = await rehearse(t, {
    scenarios: [nodeDrain],
    site: (host) => ({
      host,
      cluster: connect(host, {
        server: apiServerUrl,
        headers: async (refused) => {
          asked.push(refused);
          return {};
        },
      }),
    }),
    through: (host) => ({
      ...host,
      http: (request, signal) => {
        seen += 1;
        return (seen % 50 === 0 && !asked.at(-1) ? withFault('401', host) : host.http)(request, signal);
      },
    }),
  });
  assert.ok(asked.filter((refused) => refused).length > 3);
  assert.equal(exitCodeOf(run.facts, run.result), 0);
});

test('a watch that loses its permission ends the run, and everything is undone', async (t) => {
  for (const after of ['run-started', 'action-performed'] as const) {
    let [refused, drains] = [false, false];
    const run = await rehearse(t, {
      scenarios: [nodeDrain],
      onFact: (fact) => {
        if (fact.type === 'action-intended') drains = fact.action === 'drain-node';
        refused ||= fact.type === after && (after === 'run-started' || drains);
      },
      through: (host) => ({
        ...host,
        http: (request, signal) => (refused && isWatch(request) ? withFault('403', host) : host.http)(request, signal),
      }),
    });
    assert.equal(run.result.verdict, 'error', after);
    assert.match(JSON.stringify(run.facts.find(({ type }) => type === 'run-failed')), /watch .* 403/);
    assert.equal(exitCodeOf(run.facts, run.result), 4);
    assert.deepEqual(openIntents(run.facts), []);
  }
});

test('an API server that cannot be reached stops the run in the pre-check with exit 3, not 6', async (t) => {
  const { facts, result } = await rehearse(t, { scenarios: [nodeDrain], answers: () => false });
  assert.equal(exitCodeOf(facts, result), 3);
});

test('a signal while the pre-check waits for an API server that hangs ends the run at once', async (t) => {
  const began: number[] = [];
  const run = await rehearse(t, {
    scenarios: [nodeDrain],
    onFact(fact, { host }, send) {
      if (fact.type === 'run-started') void host.clock.sleep(3).then(() => send('SIGHUP'));
      began.push(host.clock.monotonicSeconds());
    },
    through: (host) => ({ ...host, http: withFault('hang', host) }),
  });
  assert.equal(exitCodeOf(run.facts, run.result), 129);
  assert.ok((began.at(-1) ?? 0) - (began[0] ?? 0) < 4);
});

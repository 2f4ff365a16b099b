import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { HttpRequest } from '../../../src/host/host.ts';
import { watchedKinds } from '../../../src/validation/record/digest.ts';
import type { ValidationFact } from '../../../src/validation/record/events.ts';
import { instanceKill } from '../../../src/validation/scenarios/instance-kill.ts';
import { nodeDrain } from '../../../src/validation/scenarios/node-drain.ts';
import type { Scenario } from '../../../src/validation/scenarios/scenario.ts';
import { singleReplica } from '../../../src/validation/scenarios/single-replica.ts';
import { type FaultName, isCloud, withFault } from '../../support/api-faults.ts';
import { rehearse } from '../../support/rehearse.ts';

/** A run in which every request fails for some seconds, from the first one for which `begins` is true. */
async function blinded(
  t: Pick<TestContext, 'after'>,
  scenario: Scenario,
  { name, seconds }: { readonly name: FaultName; readonly seconds: number },
  begins: (request: HttpRequest, fact: ValidationFact) => boolean,
) {
  let last: ValidationFact | undefined;
  let since: number | undefined;
  const run = await rehearse(t, {
    scenarios: [scenario],
    onFact: (fact) => {
      last = fact;
    },
    through: (host) => ({
      ...host,
      http: (request, signal) => {
        if (last !== undefined && begins(request, last)) since ??= host.clock.monotonicSeconds();
        const isWrong = since !== undefined && host.clock.monotonicSeconds() < since + seconds;
        return (isWrong && !isCloud(request) ? withFault(name, host) : host.http)(request, signal);
      },
    }),
  });
  assert.ok(since !== undefined);
  return { ...run, row: run.result.scenarios.find((one) => one.name === scenario.name) };
}

/** From the first such request after this fact. */
function onceAfter(isFact: (fact: ValidationFact) => boolean, path: RegExp) {
  let isAfter = false;
  return ({ method, url }: HttpRequest, fact: ValidationFact): boolean => {
    isAfter ||= isFact(fact);
    return isAfter && method === 'GET' && path.test(url);
  };
}
const ended = (fact: ValidationFact): boolean =>
  fact.type === 'action-verified' && fact.expectation.id === 'instance-ended';
const deleted = (fact: ValidationFact): boolean => fact.type === 'action-performed';
const started = (fact: ValidationFact): boolean => fact.type === 'scenario-started';

test('an API server that is away for a moment at any request ends no scenario and changes no verdict', async (t) => {
  for (const [what, name, scenario, isFact, path] of [
    ['the replicas at the start', '503', singleReplica, started, /\/deployments\/nginx-test$/],
    ['what the plan is made of', 'dropped', singleReplica, started, /\/nodepools\/general-purpose-arm$/],
    ['whether the action had its effect', '401', singleReplica, deleted, /\/pods\/nginx-test-/],
    ['whether all is at rest after an instance ended', 'dropped', instanceKill, ended, /\/deployments\/nginx-test$/],
  ] as const) {
    const { row, facts } = await blinded(t, scenario, { name, seconds: 5 }, onceAfter(isFact, path));
    assert.equal(row?.verdict, 'pass', `${what}: ${JSON.stringify(row?.findings)}`);
    assert.ok(
      facts.every(({ type }) => type !== 'cluster-unwatched'),
      what,
    );
  }
});

test('an API server that is away for most of a minute ends no scenario', async (t) => {
  for (const [name, seconds] of [
    ['dropped', 40],
    ['hang', 20],
  ] as const) {
    const { row, facts } = await blinded(t, instanceKill, { name, seconds }, onceAfter(ended, /./));
    assert.ok(
      facts.some(({ type }) => type === 'scenario-settled'),
      name,
    );
    assert.ok(
      facts.every(({ type }) => type !== 'scenario-inconclusive'),
      name,
    );
    assert.notEqual(row?.verdict, 'fail', name);
  }
});

test('an API server that is away for more than a minute leaves mass eviction open', async (t) => {
  const { facts, result } = await blinded(
    t,
    nodeDrain,
    { name: 'hang', seconds: 75 },
    (_, { type }) => type === 'round-opened',
  );
  const kinds = new Set(facts.flatMap((fact) => (fact.type === 'cluster-unwatched' ? [fact.kind] : [])));
  assert.equal(kinds.size, watchedKinds.length);
  const criterion = result.criteria.find(({ number }) => number === 4);
  assert.deepEqual(
    [criterion?.outcome, criterion?.because],
    ['inconclusive', 'the cluster was not watched through the whole run'],
  );
});

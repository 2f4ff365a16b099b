import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Host } from '../../../src/host/host.ts';
import { ofType } from '../../../src/validation/record/records.ts';
import { nodeDrain } from '../../../src/validation/scenarios/node-drain.ts';
import { rehearse } from '../../support/rehearse.ts';

/** An API server that needs longer for a deletion than there is between two probes. */
const slowToDelete = (host: Host): Host => ({
  ...host,
  http: async (request) => {
    const answer = await host.http(request);
    if (request.method === 'DELETE') await host.clock.sleep(3);
    return answer;
  },
});

test('what the cleanup deletes is no longer watched: it is no outage, and its nodes are no surprise', async (t) => {
  let [isDeleting, probedMeanwhile] = [false, 0];
  const { facts, result } = await rehearse(t, {
    scenarios: [nodeDrain],
    cleanup: true,
    onFact: (fact) => {
      if (fact.type === 'scenario-finished') isDeleting = true;
    },
    through: (host) => ({
      ...slowToDelete(host),
      probe: (...probe) => {
        if (isDeleting) probedMeanwhile += 1;
        return host.probe(...probe);
      },
    }),
  });
  const ends = ofType(facts, 'action-undone').slice(-5);
  assert.deepEqual(
    ends.map(({ state }) => state),
    ends.map(() => 'undone'),
  );
  assert.equal(probedMeanwhile, 0);
  assert.equal(result.verdict, 'pass');
});

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { exchanges, type Recording } from './exchanges.ts';
import { countsByCause, listed } from './listed.ts';
import { type Replayed, replay } from './replay.ts';
import { described, summary } from './words.ts';

const recordings: Readonly<Record<Recording, string>> = {
  cluster: 'in a cluster with its controllers',
  alone: 'of an API server alone',
  further: 'of an API server alone, later',
  infra: 'of an API server alone: monitoring, Argo CD, networks',
  blog: 'of an API server alone: every kind with its mistakes',
  forum: 'of an API server alone: every kind once more',
  wiki: 'of an API server alone: every kind a third time',
  fields: 'of an API server alone: every field of every built-in kind, with values that fit it and others',
  desk: 'of an API server alone: what ordinary clients send, written before the rules were gone through',
};

for (const [name, where] of Object.entries(recordings))
  describe(where, () => {
    const recording = name as Recording;
    const { causes, requests } = listed(recording);
    let replayed: readonly Replayed[];

    before(async () => {
      replayed = await replay(exchanges(recording), recording);
    });

    test('each recorded request is answered as a kube-apiserver 1.34.4 did, or is listed with a cause', (t) => {
      for (const line of [summary(replayed), ...countsByCause({ causes, requests })]) t.diagnostic(line);
      const unlike = replayed.flatMap((one, number) =>
        one.differences.length > 0 && !(number in requests) ? [described(one, number)] : [],
      );
      assert.equal(unlike.join('\n'), '');
    });

    test('a listed request that is answered alike again is taken off the list', () => {
      const alike = Object.keys(requests).filter((number) => replayed[Number(number)]?.differences.length === 0);
      assert.deepEqual(
        alike,
        [],
        'node packages/embedded-cluster/test/api-server/differential/compare.ts --recording NAME --shrink',
      );
    });

    test('each cause of the list is explained, and each explained one is used', () => {
      const used = new Set(Object.values(requests).flatMap((names) => names.split(' ')));
      assert.deepEqual([...used].toSorted(), Object.keys(causes).toSorted());
    });

    test('only a request whose cause is A1 gets no HTTP answer', () => {
      const unanswered = replayed.flatMap(({ exchange, answer }, number) =>
        answer.status < exchange.answer.status && answer.status === 0 ? [requests[number]] : [],
      );
      assert.deepEqual(
        unanswered.filter((names) => names !== 'A1'),
        [],
      );
    });
  });

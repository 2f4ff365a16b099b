import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forgotten, ruled, type ScalingHistory } from '../../src/horizontal-autoscaler/scaling-rules.ts';
import type { HorizontalPodAutoscalerSpec } from '../../src/kubernetes/horizontal-autoscaler.ts';

const now = Date.parse('2026-01-01T01:00:00Z');
const target = { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } } as const;
const spec = (more: Partial<HorizontalPodAutoscalerSpec> = {}): HorizontalPodAutoscalerSpec => ({
  ...target,
  minReplicas: 2,
  maxReplicas: 20,
  ...more,
});

/** Pairs of seconds ago and replicas. */
const ago = (...pairs: readonly (readonly [number, number])[]) =>
  pairs.map(([seconds, replicas]) => ({ at: now - 1000 * seconds, replicas }));
const history = (
  recommendations: ScalingHistory['recommendations'],
  changes: ScalingHistory['changes'] = [],
): ScalingHistory => ({
  recommendations,
  changes,
});

function outcome(of: HorizontalPodAutoscalerSpec, current: number, wanted: number, past: ScalingHistory = history([])) {
  const { replicas, conditions } = ruled(of, current, wanted, past, now);
  return [replicas, ...conditions.map(({ reason }) => reason)];
}

test('more replicas come at once, at most twice as many or four', () => {
  assert.deepEqual(outcome(spec(), 4, 7), [7, 'ReadyForNewScale', 'DesiredWithinRange']);
  assert.deepEqual(outcome(spec(), 4, 15), [8, 'ReadyForNewScale', 'ScaleUpLimit']);
  assert.deepEqual(outcome(spec({ minReplicas: 1 }), 1, 9), [4, 'ReadyForNewScale', 'ScaleUpLimit']);
  assert.deepEqual(outcome(spec({ maxReplicas: 6 }), 4, 7), [6, 'ReadyForNewScale', 'TooManyReplicas']);
});

test('fewer replicas come only when the highest wish of five minutes is as low', () => {
  assert.deepEqual(outcome(spec(), 8, 3, history(ago([299, 8]))), [8, 'ScaleDownStabilized', 'DesiredWithinRange']);
  assert.deepEqual(outcome(spec(), 8, 3, history(ago([301, 8]))), [3, 'ReadyForNewScale', 'DesiredWithinRange']);
  assert.deepEqual(outcome(spec(), 8, 1), [2, 'ReadyForNewScale', 'TooFewReplicas']);
});

test('replicas that somebody else took away come back while the last five minutes asked for more', () => {
  assert.deepEqual(outcome(spec(), 3, 3, history(ago([200, 5]))), [5, 'ScaleDownStabilized', 'DesiredWithinRange']);
  const behavior = { scaleDown: { stabilizationWindowSeconds: 300 } };
  assert.deepEqual(
    outcome(spec({ behavior }), 3, 3, history(ago([200, 5]))),
    [3, 'ReadyForNewScale', 'DesiredWithinRange'],
    'not with a behavior of its own',
  );
});

test('a behavior has windows for both directions', () => {
  const behavior = { scaleUp: { stabilizationWindowSeconds: 60 }, scaleDown: { stabilizationWindowSeconds: 0 } };
  const up = outcome(spec({ behavior }), 4, 6, history(ago([30, 4])));
  assert.deepEqual(up, [4, 'ScaleUpStabilized', 'DesiredWithinRange']);
  assert.deepEqual(outcome(spec({ behavior }), 4, 6, history(ago([61, 4])))[0], 6);
  assert.deepEqual(outcome(spec({ behavior }), 8, 3, history(ago([10, 8])))[0], 3);
});

test('policies limit how much changes within their period; the largest change counts unless selectPolicy says otherwise', () => {
  const policies = [
    { type: 'Pods', value: 4, periodSeconds: 60 },
    { type: 'Percent', value: 10, periodSeconds: 60 },
  ] as const;
  const down = (selectPolicy?: 'Max' | 'Min' | 'Disabled', past: ScalingHistory = history([])) =>
    outcome(
      spec({
        behavior: { scaleDown: { policies, stabilizationWindowSeconds: 0, ...(selectPolicy && { selectPolicy }) } },
        maxReplicas: 100,
      }),
      80,
      2,
      past,
    );
  assert.deepEqual(down(), [72, 'ReadyForNewScale', 'ScaleDownLimit'], 'the documentation’s 10 % of 80');
  assert.equal(down('Min')[0], 76);
  assert.equal(down('Disabled')[0], 80);
  assert.equal(down('Min', history([], ago([30, -3])))[0], 79, 'three of the four are gone already');
  assert.equal(down('Min', history([], ago([61, -3])))[0], 76);
  const scaleUp = { policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] } as const;
  assert.deepEqual(outcome(spec({ behavior: { scaleUp } }), 4, 9), [5, 'ReadyForNewScale', 'ScaleUpLimit']);
  assert.deepEqual(outcome(spec({ behavior: { scaleUp } }), 4, 9, history([], ago([30, 1])))[0], 4);
  assert.deepEqual(outcome(spec({ behavior: { scaleUp: {} } }), 3, 15)[0], 7, 'by default four, or as many again');
});

test('what no window can reach any more is forgotten', () => {
  assert.deepEqual(forgotten(history(ago([3601, 1], [10, 2]), ago([3601, 1])), now), history(ago([10, 2])));
});

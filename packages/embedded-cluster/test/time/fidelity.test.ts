import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Delay, delays, draw } from '../../src/time/delays.ts';

const text = readFileSync(new URL('../../../../docs/fidelity.md', import.meta.url), 'utf8');
const table: readonly (readonly [string, Delay])[] = Object.entries(delays);

test('docs/fidelity.md lists exactly the delays of the code, with their seconds and sources', () => {
  const rows = [...text.matchAll(/^\| (\w+) \| ([\d. to]+) \| (.+) \|$/gm)].map(([, name, seconds, source]) => [
    name,
    seconds,
    source,
  ]);
  const rounded = (seconds: number) => String(Math.round(seconds * 10_000) / 10_000);
  const wanted = table.map(
    ([
      name,
      {
        seconds: [least, most],
        source,
      },
    ]) => [name, least === most ? rounded(least) : `${rounded(least)} to ${rounded(most)}`, source],
  );
  assert.deepEqual(rows, wanted);
});

test('every delay names its source, and its minimum is not above its maximum', () => {
  for (const [name, { seconds, source }] of table) {
    assert.ok(source.length > 10, name);
    assert.ok(seconds[0] > 0 && seconds[0] <= seconds[1], name);
  }
});

test('fixed delays of Kubernetes, ingress-nginx, Karpenter and AWS have the values of their sources', () => {
  const fixed = {
    nodeLease: 10,
    nodeMonitorGrace: 50,
    nodeMonitor: 5,
    podGc: 20,
    podGcQuarantine: 40,
    ingressWorkerPoll: 1,
    kubeProxySync: 1,
    ingressConnectTimeout: 5,
    loadBalancerHealthCheck: 10,
    dnsAutomationLoop: 60,
    disruptionPoll: 10,
    disruptionValidation: 15,
    leastDrain: 5,
    autoscalerGc: 120,
  } as const;
  for (const [name, seconds] of Object.entries(fixed)) {
    assert.deepEqual(delays[name as keyof typeof fixed].seconds, [seconds, seconds], name);
  }
  assert.equal(Math.round(1000 * delays.ingressSync.seconds[0]), 3333, '0.3 a second');
});

test('a draw lies between minimum and maximum', () => {
  const span: Delay = { seconds: [2, 5], source: 'a test' };
  assert.equal(
    draw(span, () => 0),
    2,
  );
  assert.ok(draw(span, () => 1 - 2 ** -32) < 5);
  assert.equal(
    draw(span, () => 0.5),
    3.5,
  );
});

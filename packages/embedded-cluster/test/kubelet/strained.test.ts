import assert from 'node:assert/strict';
import { test } from 'node:test';
import { probedUnderStrain } from '../../src/kubelet/strained.ts';
import type { Container as ContainerSpec } from '../../src/kubernetes/specs.ts';
import { container } from '../support/container.ts';

const none = { failures: 0, successes: 0 };
const httpGet = { port: 80 };

/** What the probes find from second 10 on, if a request waits so long at each of these seconds. */
function probed(spec: Partial<ContainerSpec>, waits: readonly number[]) {
  const full = { name: 'web', image: 'web', ports: [{ containerPort: 80 }], ...spec };
  const one = { ...container({ seenAt: 0, startsAt: 0, listensAt: 0 }), ports: [80] };
  let strain: Parameters<typeof probedUnderStrain>[0]['container']['strain'] | undefined = {
    countedUntil: 10_000,
    readiness: none,
    liveness: none,
  };
  const found: string[] = [];
  for (const [index, waitSeconds] of waits.entries()) {
    if (strain === undefined) break;
    const at = 10_100 + 1000 * (index + 1);
    const result = probedUnderStrain({ container: { ...one, strain }, spec: full, at, waitSeconds });
    found.push(result.isDead ? 'dead' : result.strain === undefined ? 'over' : stateOf(result.strain));
    strain = result.strain;
  }
  return found;
}

const stateOf = ({ unreadySince }: { readonly unreadySince?: number }) =>
  unreadySince === undefined ? 'ready' : 'unready';

test('a probe that would wait longer than its timeout fails, and failureThreshold of them make the container unready', () => {
  const readinessProbe = { httpGet, periodSeconds: 1 };
  assert.deepEqual(probed({ readinessProbe }, [2, 2, 2, 2]), ['ready', 'ready', 'unready', 'unready']);
  assert.deepEqual(probed({ readinessProbe }, [2, 2, 0.5, 2, 2, 2]), [
    'ready',
    'ready',
    'ready',
    'ready',
    'ready',
    'unready',
  ]);
  assert.deepEqual(probed({ readinessProbe: { ...readinessProbe, timeoutSeconds: 3 } }, [2, 2, 2, 2]).at(-1), 'ready');
  assert.deepEqual(probed({ readinessProbe: { ...readinessProbe, failureThreshold: 1 } }, [2]), ['unready']);
});

test('it is ready again after successThreshold probes in time, and nothing is left when no request waits', () => {
  const readinessProbe = { httpGet, periodSeconds: 1, failureThreshold: 1 };
  assert.deepEqual(probed({ readinessProbe }, [2, 0.5, 0]), ['unready', 'ready', 'over']);
  const twice = { ...readinessProbe, successThreshold: 2 };
  assert.deepEqual(probed({ readinessProbe: twice }, [2, 0.5, 0.5]), ['unready', 'unready', 'ready']);
});

test('a liveness probe that fails so often ends the container', () => {
  assert.deepEqual(probed({ livenessProbe: { httpGet, periodSeconds: 1 } }, [2, 2, 2]), ['ready', 'ready', 'dead']);
});

test('a probe is counted once, at its period, and a TCP probe does not wait for the program', () => {
  const slow = { httpGet, periodSeconds: 2, failureThreshold: 2 };
  assert.deepEqual(probed({ readinessProbe: slow }, [2, 2, 2, 2]), ['ready', 'ready', 'ready', 'unready']);
  assert.deepEqual(probed({ readinessProbe: { tcpSocket: { port: 80 }, periodSeconds: 1 } }, [9, 9, 9]), ['over']);
});

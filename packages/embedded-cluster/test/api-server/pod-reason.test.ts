import assert from 'node:assert/strict';
import { test } from 'node:test';
import { podCells } from '../../src/api-server/tables/pod-cells.ts';
import type { StoredObject } from '../../src/objects/objects.ts';

const at = '2026-01-01T00:00:00Z';
const isInitialized = { type: 'Initialized', status: 'True' };
const isReady = { type: 'Ready', status: 'True' };

interface Shape {
  readonly phase?: string;
  readonly reason?: string;
  readonly init?: readonly object[];
  readonly containers?: readonly object[];
  readonly conditions?: readonly object[];
  readonly deleted?: boolean;
  /** Names of the init containers that are sidecars. */
  readonly sidecars?: readonly string[];
}

/** READY, STATUS and RESTARTS of a pod with these containers, two minutes after its creation. */
function cells({ init = [], containers = [], sidecars = [], deleted = false, ...status }: Shape): string {
  const named = (all: readonly object[], prefix: string) =>
    all.map((one, index) => ({ name: `${prefix}${index}`, ...one }));
  const inits = named(init, 'init-');
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', creationTimestamp: at, ...(deleted && { deletionTimestamp: at }) },
    spec: {
      containers: named(containers, 'app-').map(({ name }) => ({ name })),
      initContainers: inits.map(({ name }) => ({ name, ...(sidecars.includes(name) && { restartPolicy: 'Always' }) })),
    },
    status: {
      phase: 'Pending',
      ...status,
      initContainerStatuses: inits,
      containerStatuses: named(containers, 'app-'),
    },
  };
  const [, ready, reason, restarts] = podCells(pod as unknown as StoredObject, Date.parse(at) + 120_000);
  return `${ready} ${reason} ${restarts}`;
}

const waiting = (reason: string, more: object = {}) => ({ state: { waiting: { reason } }, ...more });
const running = { state: { running: { startedAt: at } }, ready: true, started: true };
const done = { state: { terminated: { exitCode: 0, reason: 'Completed' } } };
const later = waiting('PodInitializing');

test('a pod whose init containers are at work shows how many are done', () => {
  assert.equal(cells({ init: [running, later], containers: [later] }), '0/1 Init:0/2 0');
  assert.equal(cells({ init: [done, later], containers: [later] }), '0/1 Init:1/2 0');
  assert.equal(cells({ init: [done, done], containers: [later] }), '0/1 PodInitializing 0');
});

test('an init container that fails is reported as its reason, with its restarts', () => {
  const lastState = { terminated: { exitCode: 1, finishedAt: '2026-01-01T00:01:00Z' } };
  const failing = waiting('CrashLoopBackOff', { restartCount: 3, lastState });
  assert.equal(cells({ init: [failing], containers: [later] }), '0/1 Init:CrashLoopBackOff 3 (60s ago)');
  const ended = (terminated: object) => cells({ init: [{ state: { terminated } }], containers: [later] });
  assert.equal(ended({ exitCode: 1, reason: 'Error' }), '0/1 Init:Error 0');
  assert.equal(ended({ exitCode: 3 }), '0/1 Init:ExitCode:3 0');
  assert.equal(ended({ exitCode: 137, signal: 9 }), '0/1 Init:Signal:9 0');
  assert.equal(cells({ init: [waiting('ImagePullBackOff')], containers: [later] }), '0/1 Init:ImagePullBackOff 0');
});

test('a sidecar counts among the containers; the restarts of other init containers do not once they are done', () => {
  const sidecars = ['init-0'];
  const restarted = { ...done, restartCount: 4 };
  assert.equal(cells({ init: [running, running], sidecars, containers: [later] }), '1/2 Init:1/2 0');
  const phase = 'Running';
  const both = { init: [{ ...running, restartCount: 2 }, restarted], sidecars, phase };
  assert.equal(cells({ ...both, containers: [{ ...running, restartCount: 1 }] }), '2/2 Running 3');
  const again = { ...both, init: [running, waiting('CrashLoopBackOff')], conditions: [isInitialized] };
  assert.equal(cells({ ...again, containers: [running] }), '2/2 Init:CrashLoopBackOff 0');
});

test('a pod of which a container has ended shows that, and Running or NotReady beside one that runs', () => {
  const phase = 'Running';
  assert.equal(cells({ containers: [done], phase: 'Succeeded' }), '0/1 Completed 0');
  assert.equal(cells({ containers: [done, running], phase, conditions: [isReady] }), '1/2 Running 0');
  assert.equal(cells({ containers: [done, running], phase }), '1/2 NotReady 0');
  assert.equal(cells({ containers: [waiting('CrashLoopBackOff'), waiting('Other')], phase }), '0/2 CrashLoopBackOff 0');
  assert.equal(
    cells({ containers: [{ state: { terminated: { exitCode: 2 } } }], phase: 'Failed' }),
    '0/1 ExitCode:2 0',
  );
});

test('a pod without a word of its containers shows its phase, its reason, or that it is gated or being deleted', () => {
  assert.equal(cells({ containers: [{}] }), '0/1 Pending 0');
  assert.equal(cells({ containers: [{}], phase: 'Failed', reason: 'Evicted' }), '0/1 Evicted 0');
  const gated = { type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' };
  assert.equal(cells({ containers: [{}], conditions: [gated] }), '0/1 SchedulingGated 0');
  assert.equal(cells({ containers: [running], phase: 'Running', deleted: true }), '1/1 Terminating 0');
  assert.equal(cells({ containers: [running], phase: 'Running', reason: 'NodeLost', deleted: true }), '1/1 Unknown 0');
  assert.equal(cells({ containers: [done], phase: 'Succeeded', deleted: true }), '0/1 Completed 0');
});

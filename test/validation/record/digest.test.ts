import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digestOf } from '../../../src/validation/record/digest.ts';
import { podOn } from '../../support/objects.ts';

const ended = (...codes: readonly number[]) => ({
  containerStatuses: codes.map((exitCode, index) => ({
    ...{ name: `container-${index}`, image: 'nginx', imageID: '', ready: false, restartCount: 0 },
    state: { terminated: { exitCode } },
  })),
});

test('a container that was killed is not hidden behind one that ended by SIGTERM', () => {
  const exitCode = (...codes: readonly number[]) => digestOf('Pod', podOn('a', { status: ended(...codes) })).exitCode;
  assert.deepEqual([exitCode(), exitCode(0), exitCode(0, 143), exitCode(1, 0)], [undefined, 0, 143, 1]);
  assert.deepEqual([exitCode(137, 143), exitCode(143, 137, 0)], [137, 137]);
});

test('a pod that has ended and is left over says so; one that runs does not', () => {
  const finished = (phase: string) => digestOf('Pod', podOn('a', { status: { phase } })).finished;
  assert.deepEqual(['Failed', 'Succeeded'].map(finished), [true, true]);
  assert.deepEqual(['Pending', 'Running', 'Unknown'].map(finished), [undefined, undefined, undefined]);
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { inApi } from '../in-api.ts';
import { mutants } from './mutants.ts';

/**
 * What a kube-apiserver 1.34.4 with Karpenter's definitions answered: the codes of both requests, by what the mutant
 * is.
 */
const recorded = JSON.parse(
  gunzipSync(readFileSync(join(import.meta.dirname, 'codes.json.gz'))).toString('utf8'),
) as Readonly<Record<string, readonly number[]>>;

/** A null that is applied: the real one keeps it until the object is validated, and here it is left out before. */
const unlike = [
  'NodePool .spec.template.metadata.labels.role null',
  'Deployment .spec.template.spec.containers.0.resources.limits.memory null',
];

test('each of our manifests with a field removed or of another type is applied or refused with the code of a kube-apiserver', () =>
  inApi(async ({ server }) => {
    const other: string[] = [];
    for (const { what, requests } of mutants()) {
      const codes: number[] = [];
      for (const { path, ...request } of requests)
        codes.push((await server.handle({ ...request, url: `http://api${path}` })).status);
      if (JSON.stringify(codes) !== JSON.stringify(recorded[what]))
        other.push(`${what}: real ${recorded[what]}, here ${codes}`);
    }
    assert.deepEqual(
      other.filter((one) => !unlike.some((what) => one.startsWith(what))),
      [],
    );
    assert.equal(mutants().length, Object.keys(recorded).length);
  }));

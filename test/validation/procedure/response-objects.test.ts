import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../../packages/embedded-cluster/src/objects/json.ts';
import type { Host } from '../../../src/host/host.ts';
import { rehearse } from '../../support/rehearse.ts';

test('every response that the embedded API gives as an object equals its text', async (t) => {
  let answers = 0;
  const through = (host: Host): Host => ({
    ...host,
    http: async (request, signal) => {
      const response = await host.http(request, signal);
      if (response.json === undefined || response.status >= 400) return response;
      answers += 1;
      const text: Json = JSON.parse(await response.text());
      assert.deepEqual(asInText(response.json() as Json, text), text, request.url);
      return response;
    },
  });
  await rehearse(t, { through });
  assert.ok(answers > 500, `${answers}`);
});

/**
 * Items of built-in kinds name their kind in the object, which shares them with the store, and not in the text, as with
 * a real server.
 */
function asInText(response: Json, text: Json): Json {
  const [first] = (text.items ?? []) as readonly Json[];
  if (first === undefined || first.kind !== undefined) return response;
  const items = (response.items as readonly Json[]).map(({ kind: _kind, apiVersion: _apiVersion, ...item }) => item);
  return { ...response, items };
}

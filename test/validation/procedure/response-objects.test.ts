import assert from 'node:assert/strict';
import { test } from 'node:test';
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
      assert.deepEqual(response.json(), JSON.parse(await response.text()), request.url);
      return response;
    },
  });
  await rehearse(t, { through });
  assert.ok(answers > 500, `${answers}`);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serveHttp, textResponse } from '../../src/listen/http-endpoint.ts';

test('bodies that nobody has answered yet are bounded together, and then there is room again', async (t) => {
  const slow = Promise.withResolvers<void>();
  const endpoint = await serveHttp({
    origin: 'https://api',
    answer: async () => {
      await slow.promise;
      return textResponse(200, 'text/plain', 'read');
    },
  });
  t.after(endpoint.close);
  const body = 'x'.repeat(3 * 1024 * 1024);
  const asked = Array.from({ length: 24 }, () => post(endpoint.port, body));
  const refused = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const left = [...refused];
  for (const one of asked) void one.then((status) => status === 413 && left.pop()?.resolve());
  await Promise.all(refused.map(({ promise }) => promise));
  slow.resolve();
  const statuses = (await Promise.all(asked)).toSorted();
  assert.deepEqual(statuses, [...Array(20).fill(200), ...Array(4).fill(413)]);
  assert.equal(await post(endpoint.port, body), 200);
  assert.equal(await post(endpoint.port, `${body}x`), 413);
});

const post = async (port: number, body: string): Promise<number> =>
  (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })).status;

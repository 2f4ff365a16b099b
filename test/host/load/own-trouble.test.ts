import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const program = `
  import { load } from ${JSON.stringify(join(import.meta.dirname, '../../../src/host/load/load.ts'))};
  const result = await load({ url: process.argv[1], requests: 300, concurrency: 200, timeoutSeconds: 5 });
  console.log(JSON.stringify([result.statuses, result.errors]));`;

const limited = ['-c', 'ulimit -n 100 && exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', program];

for (const host of ['127.0.0.1', 'localhost'])
  test(`requests that this machine could not make are counted separately: they say nothing about the target ${host}`, async (t) => {
    const server = createServer((_request, response) => setTimeout(() => response.end('welcome'), 20));
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    t.after(() => server.close());
    const url = `http://${host}:${(server.address() as AddressInfo).port}/`;
    const { stdout } = await promisify(execFile)('sh', [...limited, url]);
    const [statuses, errors] = JSON.parse(stdout);
    assert.ok(errors.client > 0, stdout);
    assert.deepEqual(Object.keys(errors), ['client']);
    assert.equal(statuses[200] + errors.client, 300);
  });

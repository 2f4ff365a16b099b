import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { jsonOfProtobuf } from '../../src/listen/protobuf.ts';
import { comparable, differences } from '../api-server/differential/comparable.ts';
import { inApi, request } from '../api-server/in-api.ts';

/**
 * What a command of kubectl 1.34.4 sent in protobuf, and what a kube-apiserver 1.34.4 without controllers made of it.
 */
interface Recorded {
  readonly command: string;
  readonly path: string;
  /** In base64. */
  readonly body: string;
  readonly stored: { readonly status?: object };
}

const file = join(import.meta.dirname, 'kubectl-bodies.jsonl.gz');
const lines = gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n');
const recorded = lines.map((line) => JSON.parse(line) as Recorded);

test('what kubectl sends in protobuf is stored as a kube-apiserver stores it', () =>
  inApi(async ({ server }) => {
    for (const { command, path, body, stored } of recorded) {
      const sent = jsonOfProtobuf(Buffer.from(body, 'base64'));
      assert.ok(sent !== undefined, command);
      const { status, json } = await request(server, 'POST', path, sent);
      assert.equal(status, 201, `${command}: ${json.message}`);
      const { managedFields: _, ...metadata } = json.metadata;
      const answered = stored.status === undefined ? { ...json, status: undefined } : json;
      const ours = comparable({ status, body: JSON.parse(JSON.stringify({ ...answered, metadata })) });
      assert.deepEqual(differences(comparable({ status, body: stored }).body, ours.body), [], command);
    }
  }));

test('among them are the commands that create, ask for rights and scale', () => {
  const commands = recorded.map(({ command }) => command.split(' ').slice(1, 3).join(' '));
  for (const command of ['create namespace', 'create configmap', 'create job', 'auth can-i', 'autoscale deployment'])
    assert.ok(commands.includes(command), command);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiServer } from '../../src/api-server/api-server.ts';
import { inApi, request } from './in-api.ts';

const pods = '/api/v1/namespaces/secured/pods';
const harmless = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
};

async function secured(labels: Readonly<Record<string, string>>, play: (server: ApiServer) => Promise<void>) {
  await inApi(async ({ server }) => {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'secured', labels } };
    assert.equal((await request(server, 'POST', '/api/v1/namespaces', namespace)).status, 201);
    await play(server);
  });
}

const pod = (name: string, spec: object) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec });
const container = (securityContext: object = {}) => ({ name: 'c', image: 'nginx', securityContext });

/** What a namespace of that level says of a pod; empty if it is taken. */
async function refusal(level: string, spec: object): Promise<string> {
  let message = '';
  await secured({ 'pod-security.kubernetes.io/enforce': level }, async (server) => {
    const { status, json } = await request(server, 'POST', pods, pod('a', spec));
    assert.equal(status, json.kind === 'Pod' ? 201 : 403);
    message = json.message ?? '';
  });
  return message;
}

test('a namespace that enforces a level refuses each pod against it, in the words of the plugin', async () => {
  const rows: readonly (readonly [level: string, spec: object, why: string])[] = [
    ['privileged', { containers: [container({ privileged: true })], hostPID: true }, ''],
    ['baseline', { containers: [container()] }, ''],
    [
      'baseline',
      { containers: [container()], hostNetwork: true, hostIPC: true },
      'host namespaces (hostNetwork=true, hostIPC=true)',
    ],
    [
      'baseline',
      { containers: [container({ privileged: true })] },
      'privileged (container "c" must not set securityContext.privileged=true)',
    ],
    [
      'baseline',
      { containers: [container({ capabilities: { add: ['SYS_ADMIN', 'CHOWN'] } })] },
      'non-default capabilities (container "c" must not include "SYS_ADMIN" in securityContext.capabilities.add)',
    ],
    [
      'baseline',
      { containers: [container()], volumes: [{ name: 'h', hostPath: { path: '/' } }] },
      'hostPath volumes (volume "h")',
    ],
    [
      'baseline',
      { containers: [container()], securityContext: { sysctls: [{ name: 'kernel.msgmax', value: '1' }] } },
      'forbidden sysctls (kernel.msgmax)',
    ],
    ['restricted', { containers: [container(harmless)] }, ''],
    [
      'restricted',
      { containers: [container({ ...harmless, runAsNonRoot: false })] },
      'runAsNonRoot != true (container "c" must not set securityContext.runAsNonRoot=false)',
    ],
    [
      'restricted',
      { containers: [container(harmless)], volumes: [{ name: 'n', nfs: { server: 'a', path: '/b' } }] },
      'restricted volume types (volume "n" uses restricted volume type "nfs")',
    ],
  ];
  for (const [level, spec, why] of rows) {
    const expected = why === '' ? '' : `pods "a" is forbidden: violates PodSecurity "${level}:latest": ${why}`;
    assert.equal(await refusal(level, spec), expected);
  }
});

test('a namespace that warns of a level warns of pods and of the templates of workloads, and takes them', () =>
  secured({ 'pod-security.kubernetes.io/warn': 'restricted' }, async (server) => {
    const spec = { containers: [{ name: 'c', image: 'nginx' }] };
    const labels = { a: 'b' };
    const workload = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'a' },
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
    };
    const made = await request(server, 'POST', '/apis/apps/v1/namespaces/secured/deployments', workload);
    const single = await request(server, 'POST', pods, pod('a', spec));
    for (const { status, headers } of [made, single]) {
      assert.equal(status, 201);
      assert.match(
        String(headers.warning),
        /would violate PodSecurity \\"restricted:latest\\": allowPrivilegeEscalation/,
      );
    }
  }));

test('a level that does not exist is refused', () =>
  inApi(async ({ server }) => {
    const labels = { 'pod-security.kubernetes.io/enforce': 'strict' };
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'secured', labels } };
    const { status, json } = await request(server, 'POST', '/api/v1/namespaces', namespace);
    assert.equal(status, 422);
    assert.match(json.message, /must be one of privileged, baseline, restricted/);
  }));

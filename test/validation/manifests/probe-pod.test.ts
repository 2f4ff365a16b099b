import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProgram } from '../../../src/cli/arguments.ts';
import { probePod } from '../../../src/validation/manifests/probe-pod.ts';
import { validationSchema } from '../../../src/validation/settings.ts';
import { scriptedHost } from '../../support/scripted-host.ts';

const place = { zone: 'us-east-1a', avoids: ['ip-1', 'ip-2'], run: 'validate-2026-11-26T10-00-00-0a1b2c3d' };
const settingsOf = (given: object) => validationSchema.parse({ vantage: 'in-cluster', ...given });
const termsOf = (given: object) =>
  probePod(settingsOf(given), place).spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
    ?.nodeSelectorTerms;

test('a probe is put into its zone, outside of the pool and off the nodes of the application', () => {
  assert.deepEqual(termsOf({}), [
    {
      matchExpressions: [
        { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['us-east-1a'] },
        { key: 'kubernetes.io/hostname', operator: 'NotIn', values: ['ip-1', 'ip-2'] },
        { key: 'karpenter.sh/nodepool', operator: 'NotIn', values: ['general-purpose-arm'] },
      ],
    },
  ]);
  const keys = termsOf({ autoscaler: { kind: 'none' }, nodePool: { selector: 'team=web,size=large' } })?.map(
    ({ matchExpressions }) => matchExpressions?.at(-1),
  );
  assert.deepEqual(keys, [
    { key: 'team', operator: 'NotIn', values: ['web'] },
    { key: 'size', operator: 'NotIn', values: ['large'] },
  ]);
});

test('it needs no rights: the restricted profile, no token, a root that is not written, and it binds nobody else', () => {
  const { spec } = probePod(settingsOf({}), place);
  assert.equal(spec.automountServiceAccountToken, false);
  assert.deepEqual(spec.containers[0]?.securityContext, {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  assert.equal((spec.securityContext as { runAsNonRoot: boolean }).runAsNonRoot, true);
  assert.equal(spec.affinity?.podAntiAffinity, undefined, 'a required one would keep the application off its node');
});

test('image, tolerations, priority, secrets of the registry and namespace are settings', () => {
  const probes = {
    image: 'registry.example.com/holdfast:1',
    pullSecrets: ['registry'],
    namespace: 'probes',
    nodeSelector: 'team=ops',
    tolerations: [{ key: 'ops', operator: 'Exists' }],
    priorityClass: 'low',
  };
  const { metadata, spec } = probePod(settingsOf({ probes }), place);
  assert.equal(metadata.name, 'holdfast-probe-us-east-1a-0a1b2c3d');
  assert.equal(metadata.namespace, 'probes');
  assert.equal(spec.containers[0]?.image, 'registry.example.com/holdfast:1');
  assert.deepEqual(spec.imagePullSecrets, [{ name: 'registry' }]);
  assert.deepEqual(spec.nodeSelector, { team: 'ops' });
  assert.deepEqual(spec.tolerations, probes.tolerations);
  assert.equal(spec.priorityClassName, 'low');
  assert.deepEqual(probePod(settingsOf({}), place).spec.tolerations, [
    { key: 'CriticalAddonsOnly', operator: 'Exists' },
  ]);
});

test('the monitor there asks as the one of this machine does', async (t) => {
  const monitor = {
    interval: '2s',
    timeout: '3s',
    slow: '700ms',
    expect: 204,
    body: '-begins so',
    request: 'HEAD',
    resolve: ['app.example.com:80:10.0.0.1,[fd00::1]'],
    location: true,
    maxRedirs: 3,
    ipv4: true,
    bodyContains: '/shop|cart/',
  };
  const { args = [] } = probePod(settingsOf({ monitor }), { ...place, edgesSeconds: 0.1 }).spec.containers[0] ?? {};
  const lines: string[] = [];
  const targets: unknown[] = [];
  const real = scriptedHost(t, (_at, target) => {
    targets.push(target);
    return { status: 204, seconds: 0.01 };
  });
  const host = {
    ...real,
    out: { write: (text: string) => lines.push(text), isTTY: false, columns: 80, rows: 24 },
    talk: { write: () => {}, isTTY: false, columns: 80, rows: 24 },
    onSignal: () => () => {},
  } as unknown as Parameters<typeof createProgram>[0]['host'] & {
    clock: { run<T>(work: () => Promise<T>): Promise<T> };
  };
  const program = createProgram({ host, environment: {}, version: '0.0.0' });
  assert.equal(await host.clock.run(() => program.run([...args, '--duration=10s'])), 0);
  assert.equal(
    lines[0],
    '# holdfast downtime-log 1 target=http://app.example.com/ options=head,resolve,ipv4,location,max-redirs,body-contains interval=2s edges=100ms timeout=3s slow=700ms expect=204\n',
  );
  assert.match(lines.join(''), /^\d{4}-\S+Z 204 0\.010$/m);
  assert.deepEqual(targets[0], {
    url: 'http://app.example.com/',
    method: 'HEAD',
    resolve: [{ host: 'app.example.com', port: 80, addresses: ['10.0.0.1', 'fd00::1'] }],
    family: 4,
    redirects: 3,
    bodyContains: '/shop|cart/',
    body: '-begins so',
  });
});

test('what may be secret is not put into a pod: a mistake says so', () => {
  const read = validationSchema.safeParse({
    vantage: 'in-cluster',
    monitor: { headers: { Authorization: 'secret' }, proxy: 'http://proxy' },
  });
  assert.match(read.error?.issues[0]?.message ?? '', /probe pods are not given monitor\.headers, monitor\.proxy/);
  assert.doesNotMatch(read.error?.issues[0]?.message ?? '', /secret"/);
});

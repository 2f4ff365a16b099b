import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { stringify } from 'yaml';
import { ofKind } from '../../src/copy/copy.ts';
import { lacksOf } from '../../src/copy/lacking.ts';
import { readCopy } from '../../src/copy/read-copy.ts';
import { UsageError } from '../../src/host/errors.ts';

type Tree = Readonly<Record<string, string | Uint8Array>>;

/** Files in memory, in pieces of seven bytes, so that every name and every object is cut somewhere. */
function filesWith(tree: Tree, pieceBytes = 7) {
  const isFolder = (path: string) => Object.keys(tree).some((name) => name.startsWith(`${path}/`));
  return {
    chunks: async function* (path: string) {
      const bytes = Buffer.from(tree[path] ?? '');
      for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
    },
    list: async (folder: string) => [
      ...new Set(
        Object.keys(tree)
          .filter((path) => path.startsWith(`${folder}/`))
          .map((path) => path.slice(folder.length + 1).split('/')[0] ?? ''),
      ),
    ],
    stat: async (path: string) => {
      const plain = path.replace(/\/\.$/, '');
      if (path.endsWith('/.') && !isFolder(plain)) return undefined;
      const kind = isFolder(plain) ? ('folder' as const) : ('file' as const);
      return { kind, uid: 0, gid: 0, mode: 0o644, sizeBytes: 0, modifiedAt: 0 };
    },
  };
}

const read = (tree: Tree, ...paths: readonly string[]) =>
  readCopy(filesWith(tree), paths.length === 0 ? Object.keys(tree) : paths);

async function mistakes(tree: Tree, pieceBytes?: number, ...paths: readonly string[]): Promise<readonly string[]> {
  try {
    await readCopy(filesWith(tree, pieceBytes), paths.length === 0 ? Object.keys(tree) : paths);
  } catch (error) {
    if (error instanceof UsageError) return error.mistakes;
    throw error;
  }
  return [];
}

const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'one', creationTimestamp: '2026-01-01T00:00:00Z' } };
const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'default', creationTimestamp: '2026-01-02T03:04:05Z' },
  spec: { nodeName: 'one', containers: [{ name: 'web', image: 'web:1' }] },
};
const list = (...items: readonly object[]) => ({ apiVersion: 'v1', items, kind: 'List', metadata: {} });
const withoutKind = ({ metadata, spec }: typeof pod) => ({ metadata, spec });

const names = (copy: Awaited<ReturnType<typeof readCopy>>) =>
  [...copy.objects.values()].flat().map(({ kind, metadata }) => `${kind} ${metadata.name}`);

test('what kubectl prints is read: a List and single objects, as JSON and as YAML', async () => {
  const all = ['Node one', 'Pod web'];
  assert.deepEqual(names(await read({ 'a.json': JSON.stringify(list(node, pod), undefined, 4) })), all);
  assert.deepEqual(names(await read({ 'a.json': JSON.stringify(list(node, pod)) })), all);
  assert.deepEqual(names(await read({ 'a.yaml': stringify(list(node, pod), { indentSeq: false }) })), all);
  assert.deepEqual(names(await read({ 'a.yaml': stringify(list(node, pod)) })), all);
  assert.deepEqual(names(await read({ 'a.yaml': `${stringify(node)}---\n${stringify(pod)}` })), all);
  assert.deepEqual(names(await read({ 'a.json': JSON.stringify(node), 'b.json': JSON.stringify(pod) })), all);
});

test('the folders of cluster-info dump, a support bundle and a must-gather are read, also compressed', async () => {
  const podList = { kind: 'PodList', apiVersion: 'v1', metadata: {}, items: [withoutKind(pod)] };
  const dump = {
    'd/nodes.json': JSON.stringify({ kind: 'NodeList', items: [{ metadata: node.metadata }] }),
    'd/default/pods.json': JSON.stringify(podList, undefined, 4),
    'd/default/web/logs.txt': '==== START logs for container web',
  };
  const bundle = {
    'd/cluster-resources/nodes.json': gzipSync(JSON.stringify([{ metadata: node.metadata }])),
    'd/cluster-resources/pods/default.json': JSON.stringify([withoutKind(pod)]),
  };
  const gathered = {
    'd/cluster-scoped-resources/core/nodes/one.yaml': `---\n${stringify(node)}`,
    'd/namespaces/default/core/pods.yaml': `---\n${stringify({ ...podList, apiVersion: 'v1' }, { sortMapEntries: true })}`,
    'd/namespaces/default/core/secrets.yaml': `---\n${stringify(list({ kind: 'Secret', metadata: { name: 'x' } }))}`,
  };
  for (const tree of [dump, bundle, gathered])
    assert.deepEqual(names(await read(tree, 'd')).toSorted(), ['Node one', 'Pod web']);
});

test('a dump was made at the newest instant in it, and says what it lacks', async () => {
  const owned = {
    ...pod.metadata,
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-1', uid: 'u' }],
  };
  const copy = await read({ 'a.json': JSON.stringify(list(node, { ...pod, metadata: owned })) });
  assert.equal(new Date(copy.takenAt).toISOString(), '2026-01-02T03:04:05.000Z');
  assert.deepEqual(
    lacksOf(copy).map(({ because }) => because),
    [
      'The copy has no PodDisruptionBudget: whether a budget blocks cannot be said.',
      'The copy has no ReplicaSet: pods of Deployments have an unknown owner.',
      'The copy has no Deployment: ReplicaSets stand for Deployments.',
    ],
  );
});

test('a snapshot says when it was taken and which kinds were asked for', async () => {
  const header = {
    holdfast: 'snapshot',
    version: 1,
    takenAt: '2026-02-01T00:00:00.000Z',
    kubernetes: 'v1.34.1',
    kinds: { Node: 1, Pod: 1, PodDisruptionBudget: 0 },
  };
  const lines = [header, node, pod].map((one) => `${JSON.stringify(one)}\n`);
  const copy = await read({ 'c.gz': gzipSync(lines.join('')) });
  assert.equal(copy.takenAt, Date.parse(header.takenAt));
  assert.equal(copy.kubernetes, 'v1.34.1');
  assert.deepEqual(lacksOf(copy), []);
  assert.deepEqual(await mistakes({ c: lines.slice(0, 2).join('') }), [
    'c: it has 0 of 1 objects of kind Pod: c was cut.',
  ]);
});

test('a file that is cut is refused in one sentence, wherever it was cut', async () => {
  const [json, yaml] = [JSON.stringify(list(node, pod)), stringify(list(node, pod), { indentSeq: false })];
  for (let length = 1; length < json.length; length += 1)
    assert.equal((await mistakes({ 'a.json': json.slice(0, length) }, 64)).length, 1, json.slice(0, length));
  for (let length = yaml.indexOf('items:') + 7; length < yaml.indexOf('kind: List'); length += 5)
    assert.equal((await mistakes({ 'a.yaml': yaml.slice(0, length) }, 64)).length, 1, yaml.slice(0, length));
  const compressed = gzipSync(json);
  assert.match((await mistakes({ 'a.gz': compressed.subarray(0, 60) }, 64))[0] ?? '', /it is no whole gzip file/);
});

test('bombs, archives and objects that are not as the API has them are refused in one sentence', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, '{'));
  assert.match((await mistakes({ a: bomb }, 1024))[0] ?? '', /more than 100 levels deep/);
  const long = gzipSync(`{"a":"${'x'.repeat(20 * 1024 * 1024)}"}`);
  assert.match((await mistakes({ a: long }, 1024))[0] ?? '', /longer than 16 MiB/);
  assert.match((await mistakes({ a: gzipSync(Buffer.alloc(100_000)) }))[0] ?? '', /unpack an archive first/);
  assert.match((await mistakes({ a: 'a: &x [1]\nb: *x\nkind: Pod\n' }))[0] ?? '', /it has an alias/);
  const wrong = { ...pod, spec: { containers: 'web' } };
  assert.deepEqual(await mistakes({ a: JSON.stringify(wrong) }), [
    'a: Pod default/web: spec.containers is not as the API of Kubernetes has it.',
  ]);
  assert.match((await mistakes({ a: '[]' }))[0] ?? '', /there is no Node and no Pod in a/);
  const set = (app: unknown) => ({
    ...{ apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name: 'web', namespace: 'default' } },
    spec: {
      selector: { matchLabels: { app } },
      template: { metadata: { labels: { app: 'web' } }, spec: pod.spec },
    },
  });
  // It would make pods without end.
  for (const app of ['other', true])
    assert.match((await mistakes({ a: JSON.stringify(set(app)) }))[0] ?? '', /ReplicaSet default\/web: spec\.selector/);
  assert.deepEqual(await mistakes({ a: JSON.stringify(list(node, set('web'))) }), []);
});

test('more pods than any cluster has are refused while they are read', async () => {
  const files = filesWith({ a: 'x' });
  const million = async function* () {
    yield Buffer.from('[');
    for (let index = 0; index < 1_000_000; index += 1)
      yield Buffer.from(
        `{"kind":"Pod","metadata":{"name":"${index}"},"spec":{"containers":[{"name":"a","image":"a"}]}},`,
      );
  };
  await assert.rejects(readCopy({ ...files, chunks: million }, ['a'], { pods: 2000 }), /more than 2000 pods/);
});

test('no secret of any field is in a copy', async () => {
  const secret = 'hunter2-planted';
  const probe = { httpGet: { path: `/${secret}`, port: 80, httpHeaders: [{ name: 'a', value: secret }] } };
  const planted = {
    ...pod,
    metadata: {
      ...pod.metadata,
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': secret, any: secret },
    },
    spec: {
      nodeName: 'one',
      imagePullSecrets: [{ name: secret }],
      volumes: [
        { name: 'config', configMap: { name: secret } },
        { name: 'share', csi: { driver: 'x', volumeAttributes: { password: secret } } },
      ],
      containers: [
        {
          name: 'web',
          image: 'web:1',
          command: ['sh', '-c', secret],
          args: [`--password=${secret}`],
          env: [{ name: 'PASSWORD', value: secret }],
          envFrom: [{ secretRef: { name: secret } }],
          readinessProbe: probe,
          livenessProbe: { exec: { command: ['check', secret] } },
          lifecycle: { preStop: { exec: { command: ['sh', '-c', `sleep 5; echo ${secret}`] } } },
        },
      ],
    },
    status: { message: secret, containerStatuses: [{ name: 'web', state: { terminated: { message: secret } } }] },
  };
  const secretItself = { apiVersion: 'v1', kind: 'Secret', metadata: { name: secret }, data: { a: secret } };
  const copy = await read({ 'a.json': JSON.stringify(list(node, planted, secretItself)) });
  assert.doesNotMatch(JSON.stringify([...copy.objects]), new RegExp(secret));
});

test('a preStop hook that only sleeps is kept, because how long decides what a drain does', async () => {
  const sleeping = (command: readonly string[]) => ({
    ...pod,
    spec: { containers: [{ name: 'web', image: 'web:1', lifecycle: { preStop: { exec: { command } } } }] },
  });
  const hookOf = async (command: readonly string[]) => {
    const [found] = ofKind(await read({ 'a.json': JSON.stringify(list(node, sleeping(command))) }), 'Pod');
    return found?.spec.containers[0]?.lifecycle?.preStop?.exec?.command;
  };
  assert.deepEqual(await hookOf(['sleep', '15']), ['sleep', '15']);
  assert.deepEqual(await hookOf(['/bin/sh', '-c', 'sleep 15']), ['/bin/sh', '-c', 'sleep 15']);
  assert.equal(await hookOf(['sh', '-c', 'sleep 15 && curl -H token:x']), undefined);
});

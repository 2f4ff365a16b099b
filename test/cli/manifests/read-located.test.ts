import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fieldPath } from '@holdfast/embedded-cluster';
import fc from 'fast-check';
import type { Located } from '../../../src/cli/manifests/located.ts';
import { readLocated } from '../../../src/cli/manifests/read-located.ts';
import { quietHost } from '../../support/quiet-host.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const reading = {
  files: quietHost().files,
  input: { isTTY: false, line: async () => undefined, chunks: async function* () {} },
};

async function read(t: TestContext, files: Readonly<Record<string, string>>, ...paths: readonly string[]) {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'sub'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const asked = paths.length === 0 ? Object.keys(files) : paths;
  const { found, mistakes } = await readLocated(
    reading,
    asked.map((path) => join(folder, path)),
  );
  const short = (text: string) => text.replaceAll(`${folder}/`, '');
  return { found: found.map((one) => ({ ...one, file: short(one.file) })), mistakes: mistakes.map(short) };
}

const lineIn = ({ lineOf }: Located, field: string) => lineOf(fieldPath(field));
const configMap = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;

test('a field is found at its line; one that is not written, at the nearest field around it', async (t) => {
  const text = [
    '# a comment',
    'apiVersion: v1',
    'kind: Service',
    'metadata:',
    '  name: shop',
    '  labels:',
    '    app.kubernetes.io/name: shop',
    'spec:',
    '  ports:',
    '    - port: 80',
    '    - port: 443',
    '      name: tls',
    '---',
    configMap('next'),
  ].join('\n');
  const [service, next] = (await read(t, { 'a.yaml': text })).found;
  assert.ok(service && next);
  assert.equal(lineIn(service, ''), 2);
  assert.equal(lineIn(service, 'metadata.labels[app.kubernetes.io/name]'), 7);
  assert.equal(lineIn(service, 'spec.ports[1].name'), 12);
  assert.equal(lineIn(service, 'spec.ports[1].targetPort'), 11);
  assert.equal(lineIn(service, 'spec.selector'), 8);
  assert.equal(lineIn(next, 'metadata.name'), 16);
});

test('the objects of a List, of an alias and of JSON have their lines too', async (t) => {
  const list = 'kind: List\napiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Secret\n  metadata:\n    name: one\n';
  const alias = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: &l\n  {x: y}}\ndata: *l\n';
  const json = '{"apiVersion": "v1",\n "kind": "ConfigMap",\n "metadata": {\n  "name": "j"}}';
  const { found } = await read(t, { 'l.yaml': list, 'a.yaml': alias, 'j.json': json });
  assert.deepEqual(
    found.map((one) => [one.object.metadata.name, one.lineOf(['metadata', 'name']), one.lineOf(['data', 'x'])]),
    [
      ['one', 7, 4],
      ['a', 3, 4],
      ['j', 4, 1],
    ],
  );
});

test('of a folder kubectl’s files are read by name, others and the folders in it are not', async (t) => {
  const files = {
    'b.yml': configMap('b'),
    'a.yaml': configMap('a'),
    'c.json': '{}',
    'sub/d.yaml': 'x',
    'README.md': '#',
  };
  const { found, mistakes } = await read(t, files, '.');
  assert.deepEqual(
    found.map(({ object }) => object.metadata.name),
    ['a', 'b'],
  );
  assert.deepEqual(mistakes, ['c.json:1: apiVersion: it must be text that is not empty.']);
});

test('a folder without manifests, a chart, a kustomization and a missing file are one sentence each', async (t) => {
  const { mistakes } = await read(t, { 'sub/x.txt': '' }, 'sub', 'gone.yaml');
  assert.deepEqual(mistakes, [
    'sub has no file whose name ends in .yaml, .yml or .json.',
    'there is no file gone.yaml: name a file, a folder or - with -f.',
  ]);
  const deeper = await read(t, { 'k8s/api/web.yaml': configMap('a'), 'k8s/docs/x.txt': '' }, 'k8s');
  assert.deepEqual(deeper.mistakes, [
    'k8s has no file whose name ends in .yaml, .yml or .json, and the folders in it are not read: name those that you mean (-f k8s/api).',
  ]);
  const chart = await read(t, { 'sub/Chart.yaml': '', 'sub/values.yaml': '' }, 'sub');
  assert.deepEqual(chart.mistakes, ['sub is a Helm chart: run helm template NAME sub | holdfast rehearse -f -.']);
  const kustomize = 'run kustomize build sub | holdfast rehearse -f - (or kubectl kustomize in its place).';
  const base = await read(t, { 'sub/kustomization.yaml': '' }, 'sub');
  assert.deepEqual(base.mistakes, [`sub is for Kustomize: ${kustomize}`]);
  const named = await read(t, { 'sub/Kustomization': '' }, 'sub');
  assert.deepEqual(named.mistakes, [`sub is for Kustomize: ${kustomize}`]);
});

test('a file of a chart or a kustomization says what to run, whatever YAML makes of it', async (t) => {
  const helm = 'run helm template NAME sub | holdfast rehearse -f -.';
  const chart = await read(t, { 'sub/Chart.yaml': 'name: c\n', 'sub/values.yaml': 'replicas: 1\n', 'values.yaml': '' });
  assert.deepEqual(chart.mistakes, [
    `sub/Chart.yaml is of a Helm chart: ${helm}`,
    `sub/values.yaml is of a Helm chart: ${helm}`,
  ]);
  const { mistakes } = await read(t, { 'sub/kustomization.yml': 'resources: []\n' });
  assert.deepEqual(mistakes, [
    'sub/kustomization.yml is for Kustomize: run kustomize build sub | holdfast rehearse -f - (or kubectl kustomize in its place).',
  ]);
});

test('a template of Helm that YAML can read is reported as a template, at its action', async (t) => {
  const { found, mistakes } = await read(t, {
    'printf.yaml': configMap('{{ printf "%s-x" .Release.Name }}'),
    'name.yaml': configMap('x').replace('{name: x}', '\n  name: web-{{ .Release.Name }}'),
    'replicas.yaml': `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: {{ .Values.replicas }}\n`,
  });
  assert.deepEqual(found, []);
  const said = 'it is a template of Helm: run helm template NAME CHART | holdfast rehearse -f -.';
  assert.deepEqual(mistakes, [`printf.yaml:3: ${said}`, `name.yaml:4: ${said}`, `replicas.yaml:5: ${said}`]);
});

test('what is no YAML or no object has the line of its mistake, and all of them are told', async (t) => {
  const { found, mistakes } = await read(t, {
    'broken.yaml': `${configMap('fine')}---\na: [1,\n`,
    'duplicate.yaml': 'a: 1\na: 2\n',
    'scalar.yaml': 'hello\n',
    'nameless.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  labels: {}\n',
    'unkind.yaml': 'apiVersion: v1\nmetadata: {name: x}\n',
  });
  assert.deepEqual(
    found.map(({ object }) => object.metadata.name),
    ['fine'],
  );
  assert.equal(mistakes.length, 5);
  assert.match(mistakes[0] ?? '', /^broken\.yaml:6: it is not valid YAML: /);
  assert.match(mistakes[1] ?? '', /^duplicate\.yaml:2: it is not valid YAML: Map keys must be unique/);
  assert.deepEqual(mistakes.slice(2), [
    'scalar.yaml:1: this is no object of Kubernetes.',
    'nameless.yaml:3: metadata.name: ConfigMap has no name.',
    'unkind.yaml:1: kind: it must be text that is not empty.',
  ]);
});

test('a template of Helm and a text that is not UTF-8 are one sentence each', async (t) => {
  const template = `${configMap('{{ .Values.name }}')}data: {{ toYaml .Values.data }}\n`;
  const inText = `${configMap('alerts')}data:\n  page.tmpl: |\n    {{ if .Alerts }}\n`;
  const utf16 = Buffer.from(configMap('windows'), 'utf16le').toString('latin1');
  const { found, mistakes } = await read(t, { 'chart.yaml': template, 'alerts.yaml': inText });
  assert.deepEqual(mistakes, [
    'chart.yaml:3: it is a template of Helm: run helm template NAME CHART | holdfast rehearse -f -.',
  ]);
  assert.deepEqual(
    found.map(({ object }) => object.metadata.name),
    ['alerts'],
  );
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'w.yaml'), `\xff\xfe${utf16}`, 'latin1');
  const windows = await readLocated(reading, [join(folder, 'w.yaml')]);
  assert.deepEqual(windows.mistakes, [
    `${folder}/w.yaml:1: it is not UTF-8 (> of Windows PowerShell writes UTF-16): save it as UTF-8.`,
  ]);
});

test('empty documents, comments, anchors and Windows line ends are read', async (t) => {
  const text = `---\n# nothing\n---\n${configMap('a')}---\n`.replaceAll('\n', '\r\n');
  const { found, mistakes } = await read(t, { 'w.yaml': text });
  assert.deepEqual([found.length, mistakes], [1, []]);
  assert.equal(found[0]?.lineOf(['kind']), 5);
});

test('aliases are taken by what they unfold to, and one that unfolds to millions of values is refused', async (t) => {
  const levels = ['a: &a [x,x,x,x,x,x,x,x,x]'];
  for (let level = 0; level < 8; level += 1) {
    const [from, to] = [String.fromCharCode(97 + level), String.fromCharCode(98 + level)];
    levels.push(`${to}: &${to} [${Array.from({ length: 9 }, () => `*${from}`).join(',')}]`);
  }
  const { found, mistakes } = await read(t, { 'bomb.yaml': `${levels.join('\n')}\n` });
  assert.deepEqual(found, []);
  assert.deepEqual(mistakes, [
    'bomb.yaml:6: this file has more than 10000 aliases, or they unfold to more than 400000 values: write them out, or in several files.',
  ]);
  const shared = Array.from(
    { length: 500 },
    (_, index) => `- ${configMap(`c${index}`).replaceAll('\n', '\n  ')}data: *l\n`,
  );
  const list = `kind: List\napiVersion: v1\nmetadata: {labels: &l {app: web}}\nitems:\n${shared.join('')}`;
  const usual = await read(t, { 'l.yaml': list });
  assert.deepEqual([usual.found.length, usual.mistakes], [500, []]);
});

test('more aliases than a parser can look up in a bounded time are refused, however little each repeats', async (t) => {
  const manifest = (aliases: number) => `${configMap('&n many')}data: [${'*n,'.repeat(aliases)}]\n`;
  const { found, mistakes } = await read(t, { 'fine.yaml': manifest(10_000), 'many.yaml': manifest(10_001) });
  assert.equal(found.length, 1);
  assert.equal(mistakes.length, 1);
  assert.match(mistakes[0] ?? '', /^many\.yaml:4: this file has more than 10000 aliases, or /);
});

test('an alias to nothing or to itself, and a merge of what is no map, have their lines', async (t) => {
  const { mistakes } = await read(t, {
    'cross.yaml': `${configMap('&m a')}---\nkind: *m\n`,
    'self.yaml': 'kind: X\nmetadata: &m\n  labels: *m\n',
    'merge.yaml': 'kind: X\nmetadata:\n  <<: 3\n',
  });
  assert.deepEqual(mistakes, [
    'cross.yaml:5: no anchor &m stands before *m in this document: write the anchor first, or put text that begins with * in quotes.',
    'self.yaml:3: *m stands within its own anchor: write the value itself.',
    'merge.yaml:3: what << merges must be a map, or a list of maps.',
  ]);
});

test('500 levels are read; deeper ones are refused in a sentence, be they written, aliases, or more than a parser can hold', async (t) => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const chain = Array.from({ length: 300 }, (_, index) => `a${index + 1}: &a${index + 1} [[*a${index}]]`);
  const { found, mistakes } = await read(t, {
    'fine.yaml': `${configMap('deep')}d: ${nested(499)}\n`,
    'written.yaml': `${configMap('deep')}d:\n  ${nested(501)}\n`,
    'far.json': nested(100_000),
    'chain.yaml': `a0: &a0 [x]\n${chain.join('\n')}\n`,
  });
  const deep = 'it stands within more than 500 others: write it flatter.';
  assert.equal(found.length, 1);
  assert.deepEqual(mistakes, [`written.yaml:5: ${deep}`, `far.json:1: ${deep}`, `chain.yaml:250: ${deep}`]);
});

test('a template is reported where YAML can read it, and where only what Helm gives names it', async (t) => {
  const { found, mistakes } = await read(t, {
    'a.yaml': configMap('web-{{ .Release.Name }}'),
    'b.yaml': configMap('{{ printf "%s-x" .Release.Name }}'),
    'c.yaml': `${configMap('c')}data:\n  replicas: {{ .Values.replicas }}\n`,
    'd.yaml': configMap('"{{ include \'shop.name\' . }}"'),
    'text.yaml': `${configMap('text')}data:\n  # {{ .Values.x }}\n  page: |\n    {{ .Values.y }}\n`,
  });
  assert.deepEqual(
    mistakes,
    ['a.yaml:3', 'b.yaml:3', 'c.yaml:5', 'd.yaml:3'].map(
      (place) => `${place}: it is a template of Helm: run helm template NAME CHART | holdfast rehearse -f -.`,
    ),
  );
  assert.deepEqual(
    found.map(({ object }) => object.metadata.name),
    ['text'],
  );
});

test('names and numbers that no API server takes have their line and what to write', async (t) => {
  const { mistakes } = await read(t, {
    'name.yaml': configMap('123'),
    'number.yaml': `${configMap('numbers')}spec:\n  ports:\n    - port: .nan\n`,
  });
  assert.deepEqual(mistakes, [
    'name.yaml:3: metadata.name: ConfigMap has a name that is not text: write it in quotes.',
    'number.yaml:6: spec.ports[0].port: it must be a number that JSON has: write its digits.',
  ]);
});

test('a file that is no text, an empty name and an address are mistakes; standard input is read once', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'x.png'), Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
  const { mistakes } = await readLocated(reading, [join(folder, 'x.png'), '', 'https://example.com/a.yaml']);
  assert.deepEqual(mistakes, [
    `${folder}/x.png is not text: name a file of YAML or JSON.`,
    '-f is given an empty name: name a file, a folder or - for standard input.',
    '-f takes no address: run curl -fsSL https://example.com/a.yaml | holdfast rehearse -f -.',
  ]);
  const twice = await readLocated(reading, ['-', '-']);
  assert.deepEqual(twice.mistakes, ['there is no object of Kubernetes in standard input.']);
});

test('a byte order mark is read over; a tab as indentation and an unreadable file are one sentence each', async (t) => {
  const { found, mistakes } = await read(t, {
    'bom.yaml': `\uFEFF${configMap('a')}`,
    'tab.yaml': `${configMap('b')}data:\n\tx: y\n`,
  });
  assert.deepEqual([found.length, mistakes.length], [1, 1]);
  assert.match(mistakes[0] ?? '', /^tab\.yaml:5: it is not valid YAML: Tabs are not allowed as indentation/);
  const loop = temporaryFolder(t);
  symlinkSync('loop.yaml', join(loop, 'loop.yaml'));
  const unread = await readLocated(reading, [join(loop, 'loop.yaml')]);
  assert.match(unread.mistakes.join(), /loop\.yaml cannot be read: .*; name a file or a folder with -f\.$/);
});

test('any text is read or told wrong, never an exception', async (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, 'any.yaml');
  const words = fc.constantFrom(
    'kind: ',
    'apiVersion: v1\n',
    '- ',
    '  ',
    '\n',
    '&a ',
    '*a',
    '{',
    ']',
    '---\n',
    ': ',
    'x',
    '!!binary ',
    '\t',
  );
  const texts = fc.oneof(
    fc.string(),
    fc.array(words, { maxLength: 30 }).map((all) => all.join('')),
  );
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      writeFileSync(path, text);
      const { found, mistakes } = await readLocated(reading, [path]);
      assert.ok(found.length + mistakes.length > 0);
      for (const { lineOf } of found) assert.ok(lineOf(['metadata', 'name']) >= 1);
    }),
    { numRuns: 300 },
  );
});

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { test } from 'node:test';
import { transitions } from '../src/deployment/record/states.ts';
import { acceptance } from '../src/validation/judge/acceptance.ts';
import { scenarios } from '../src/validation/scenarios/index.ts';
import { longLines } from './support/long-lines.ts';
import { filesInRoom, filesInRoomOfOneShape, folders, pure, roomsOfOneShape } from './support/rooms.ts';

const root = join(import.meta.dirname, '..');
const sources = globSync('{src,packages/*/src}/**/*.ts', { cwd: root }).sort();
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

/**
 * docs/architecture.md: which folder may import which. Type imports count: an arrow is knowledge, not bytes. The
 * package knows no folder.
 */
const arrows: Readonly<Record<string, readonly string[]>> = {
  host: [],
  figures: [],
  settings: ['host'],
  journal: ['host'],
  notification: ['figures', 'host'],
  cluster: ['host'],
  cloud: ['host'],
  validation: ['figures', 'cluster', 'cloud', 'journal', 'notification', 'settings', 'host'],
  deployment: ['figures', 'journal', 'notification', 'settings', 'host'],
  fleet: ['figures', 'deployment', 'settings', 'host'],
  report: ['figures', 'validation', 'deployment', 'journal', 'settings', 'host'],
  dashboard: ['figures', 'report', 'validation', 'deployment', 'journal', 'host'],
  rehearsal: ['host'],
  copy: ['cluster', 'host'],
  'what-if': ['cluster', 'copy', 'host'],
  'embedded-cluster': [],
  library: ['figures', 'cli', 'report', 'validation', 'deployment', 'settings', 'host'],
  cli: [
    'figures',
    'copy',
    'what-if',
    'rehearsal',
    'dashboard',
    'report',
    'validation',
    'deployment',
    'fleet',
    'cluster',
    'cloud',
    'journal',
    'notification',
    'settings',
    'host',
  ],
};

/** Which packages and `node:` modules a folder, or a file of it, may use. */
const packages: readonly { readonly where: RegExp; readonly what: RegExp }[] = [
  { where: /^src\/host\//, what: /^(node:.*|dns-packet)$/ },
  { where: /^src\/settings\//, what: /^zod$/ },
  // What was written elsewhere is looked at where it is read.
  {
    where: /^src\/(cluster\/(.*-shape|.*shapes|client|list|pages|requests|watch-once)|fleet\/remote-documents)\.ts$/,
    what: /^zod$/,
  },
  {
    where: /^src\/validation\/record\/(fact-parts|fact-shape|intent-shapes|recorded-settings)\.ts$/,
    what: /^zod$/,
  },
  { where: /^src\/deployment\/record\/(fact-shape|state-file)\.ts$/, what: /^zod$/ },
  {
    where: /^src\/(validation\/settings|deployment\/settings\/(settings|schema|health-schema|servers))\.ts$/,
    what: /^zod$/,
  },
  { where: /^src\/cluster\/(client-node|credentials|kubeconfig)\.ts$/, what: /^@kubernetes\/client-node/ },
  { where: /^src\/cloud\//, what: /^(@aws-sdk\/|@smithy\/signature-v4$|@aws-crypto\/sha256-js$)/ },
  { where: /^src\/cloud\/rfc2136\/(tsig|key-file)\.ts$/, what: /^node:crypto$/ },
  { where: /^src\/copy\/pseudonyms\.ts$/, what: /^node:crypto$/ },
  { where: /^src\/notification\//, what: /^nodemailer$/ },
  { where: /^src\/report\/(text-width|wrap)\.ts$/, what: /^(fast-string-width|fast-wrap-ansi)$/ },
  { where: /^src\/cli\//, what: /^(commander|zod|yaml|node:(process|util|fs))$/ },
  { where: /^src\/(cluster|rehearsal|cli|copy|what-if)\//, what: /^@holdfast\/embedded-cluster$/ },
  { where: /^src\/copy\/copied-object\.ts$/, what: /^yaml$/ },
  { where: /^packages\/embedded-cluster\/src\/(listen|api-server)\//, what: /^node:.*$/ },
  { where: /^packages\/embedded-cluster\/src\/api-server\//, what: /^(yaml|@marcbachmann\/cel-js)$/ },
];

interface Import {
  readonly from: string;
  readonly to: string;
}

function importsOf(path: string): readonly Import[] {
  const specifiers = textOf(path).matchAll(
    /(?:^|\s)(?:import|export)\s[^'"]*?from\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|^import\s+['"]([^'"]+)['"]/gm,
  );
  return [...specifiers].map(([, a, b, c]) => ({ from: path, to: a ?? b ?? c ?? '' }));
}

const folderOf = (path: string): string => path.split(sep)[1] ?? '';
const targetOf = ({ from, to }: Import): string => relative(root, join(root, dirname(from), to));

test('a folder imports only the folders that its floor may know', () => {
  const wrong = sources.flatMap(importsOf).filter(({ from, to }) => {
    if (!to.startsWith('.')) return false;
    const [here, there] = [folderOf(from), folderOf(targetOf({ from, to }))];
    return here !== there && !arrows[here]?.includes(there);
  });
  assert.deepEqual(wrong, []);
});

const insideFolder = (path: string): readonly string[] => path.split(sep).slice(path.startsWith('packages') ? 3 : 2);

/** `judge` of `src/validation/judge/…`, or undefined for a file at the root of its folder. */
function roomOf(path: string): string | undefined {
  const [room = ''] = insideFolder(path);
  return room.endsWith('.ts') ? undefined : room;
}

const insideOneFolder = (name: string): readonly { readonly from: string; readonly to: string }[] =>
  sources
    .filter((path) => folderOf(path) === name)
    .flatMap(importsOf)
    .filter(({ to }) => to.startsWith('.'))
    .map((one) => ({ from: one.from, to: targetOf(one) }))
    .filter(({ to }) => folderOf(to) === name);

for (const [name, { rooms, root: rootIs, filesAtRoot }] of Object.entries(folders)) {
  test(`a room of ${name} imports only the rooms that it may know`, () => {
    const wrong = insideOneFolder(name).filter(({ from, to }) => {
      const [here, there] = [roomOf(from), roomOf(to)];
      if (here === there) return false;
      if (here === undefined) return rootIs === 'below';
      if (there === undefined) return rootIs === 'above';
      return !rooms[here]?.includes(there);
    });
    assert.deepEqual(wrong, []);
  });

  test(`every file of ${name} has its room, and no room is a heap`, () => {
    const files = sources.filter((path) => folderOf(path) === name);
    const counts = Map.groupBy(files, (path) => insideFolder(path).slice(0, -1).join('/'));
    const atRoot = counts.get('')?.length ?? 0;
    assert.ok(atRoot <= filesAtRoot, `${atRoot} files at the root of ${name}`);
    for (const [room, { length }] of counts) {
      if (room === '') continue;
      assert.ok((room.split('/')[0] ?? '') in rooms, `${name}/${room} is not in the table of rooms`);
      const most = roomsOfOneShape.includes(`${name}/${room}`) ? filesInRoomOfOneShape : filesInRoom;
      assert.ok(length <= most, `${length} files in ${name}/${room}`);
    }
    for (const room of Object.keys(rooms)) assert.ok(counts.has(room), `${name} has no room ${room}`);
  });
}

test('no import circle of files, types included', () => {
  const imported = Map.groupBy(
    sources.flatMap(importsOf).filter(({ to }) => to.startsWith('.')),
    ({ from }) => from,
  );
  const done = new Set<string>();
  const circles: string[] = [];
  const follow = (path: string, above: readonly string[]): void => {
    if (above.includes(path)) circles.push([...above.slice(above.indexOf(path)), path].join(' → '));
    if (done.has(path) || above.includes(path)) return;
    for (const one of imported.get(path) ?? []) follow(targetOf(one), [...above, path]);
    done.add(path);
  };
  for (const path of sources) follow(path, []);
  assert.deepEqual(circles, []);
});

test('a real cluster is reached without a line of the embedded one: its types alone are used there', () => {
  const wrong = sources
    .filter((path) => ['cluster', 'validation'].includes(folderOf(path)))
    .filter((path) => /^(import|export) (?!type )[^;]*'@holdfast\/embedded-cluster'/m.test(textOf(path)));
  assert.deepEqual(wrong, []);
});

test('packages and node: modules are used only where the house allows them', () => {
  const wrong = sources.flatMap(importsOf).filter(({ from, to }) => {
    if (to.startsWith('.')) return false;
    return !packages.some(({ where, what }) => where.test(from) && what.test(to));
  });
  assert.deepEqual(wrong, []);
});

test('no source file has more than 250 lines', () => {
  const sizes = sources.map((path) => ({ path, lines: textOf(path).split('\n').length - 1 }));
  assert.deepEqual(
    sizes.filter(({ lines }) => lines > 250),
    [],
  );
});

test('no line has more than 120 characters, unless a text, a pattern or a template in it is that long', () => {
  const files = globSync('{src,packages/*/src,packages/*/test,test}/**/*.{ts,js}', { cwd: root });
  const ours = files.filter((path) => !path.includes('fixtures'));
  assert.deepEqual(
    ours.flatMap((path) => longLines(textOf(path)).map((line) => `${path}: ${line}`)),
    [],
  );
  assert.equal(longLines(`// ${'word '.repeat(24)}`).length, 1);
});

test('a pure file asks neither the clock, nor chance, nor the process, and waits for nothing', () => {
  const files = sources.filter((path) => pure.some((pattern) => pattern.test(path)));
  for (const pattern of pure)
    assert.ok(
      sources.some((path) => pattern.test(path)),
      `${pattern} is of no file`,
    );
  const impure = files.filter((path) => /Date\.now|new Date\(\)|Math\.random|\bprocess\.|\bawait\b/.test(textOf(path)));
  assert.deepEqual(impure, []);
});

test('every row of table 4.1 has its scenario, in its order', () => {
  const rows = [
    'Scale up',
    'Scale down',
    'Single replica',
    'Manual node drain',
    'Instance hard kill',
    'Disruption budget',
    'Consolidation',
    'Load',
    'Ingress controller failure',
    'DNS failure',
  ];
  assert.deepEqual(
    scenarios.map(({ title }) => title),
    rows,
  );
  for (const { name } of scenarios)
    assert.ok(sources.includes(`src/validation/scenarios/${name}.ts`), `${name} has no file`);
});

test('every criterion of 4.2 has its function, in its words', () => {
  const nothing = {
    scenarios: [],
    replacements: [],
    massEvictions: [],
    clusterWatched: false,
    ended: false,
    maximumDowntimeSeconds: 60,
  };
  assert.deepEqual(
    acceptance(nothing).map(({ text }) => text),
    [
      'No downtime during scaling.',
      'No downtime during node drain.',
      'At most 60 seconds during an instance crash.',
      'No mass eviction.',
      'Only one node replaced during maintenance.',
      'No surprise replacement.',
    ],
  );
  assert.ok(
    acceptance(nothing).every(({ outcome }) => outcome !== 'met'),
    'a criterion is met without evidence',
  );
});

test('every row of 3.3 has its transition', () => {
  const rows = [
    ['started', 'directory-change-failed', 'aborted'],
    ['started', 'fetch-failed', 'aborted'],
    ['fetched', 'reset-failed', 'aborted'],
    ['reset', 'health-checked', 'verified'],
    ['reset', 'health-checked', 'rolling-back'],
    ['rolling-back', 'rolled-back', 'rolled-back'],
  ];
  for (const [from, on, to] of rows) {
    assert.ok(
      transitions.some((row) => row.from === from && row.on === on && row.to === to),
      `${from} on ${on} to ${to}`,
    );
  }
});

test('no word of the product names a machine’s path or a registry', () => {
  const published = [
    ...sources,
    'package.json',
    'README.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    ...globSync('docs/**/*.md', { cwd: root }),
  ];
  const wrong = published.filter((path) => /\/work\/|registry\.npmjs|\/root\//.test(textOf(path)));
  assert.deepEqual(wrong, []);
});

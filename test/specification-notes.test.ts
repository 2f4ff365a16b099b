import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { criterionTexts } from '../src/validation/judge/acceptance.ts';
import { scenarios } from '../src/validation/scenarios/index.ts';

const root = join(import.meta.dirname, '..');
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Row {
  readonly section: string;
  readonly cells: readonly string[];
}

/**
 * The rows of all tables of the page, under their last heading of the second level; heads and rules of tables left out.
 */
const rows: readonly Row[] = textOf('docs/specification-notes.md')
  .split(/^## /m)
  .slice(1)
  .flatMap((part) =>
    [...part.matchAll(/^\| (.+) \|$/gm)]
      .map(([, cells = '']) => cells.split(/(?<!\\) \| /))
      .filter((cells) => !['Source', 'Test'].includes(cells.at(-1) ?? ''))
      .map((cells) => ({ section: part.slice(0, part.indexOf('\n')), cells })),
  );

const beginnings = (section: string): readonly string[] =>
  rows
    .filter((row) => row.section.startsWith(section))
    .map(({ cells }) => cells[0] ?? '')
    .filter((beginning) => beginning !== '…');

const titlesOf = (path: string): readonly string[] =>
  [...textOf(path).matchAll(/\btest\(\s*(['"`])((?:\\.|(?!\1).)*)\1\s*,/gs)].map(([, , title = '']) =>
    title.replaceAll(/\\(['"`])/g, '$1'),
  );

test('each row names its source and its test by file and title, and both are there', () => {
  const wrong = rows.flatMap(({ cells }) => {
    const [source = '', named = ''] = cells.slice(-2);
    if (named === '– (nothing to test)') return [];
    const sources = [...source.matchAll(/`(src\/[^`]+)`/g)].map(([, path = '']) => path);
    const tests = [...named.replaceAll('\\|', '|').matchAll(/`(test\/[^`]+)`: "(.*?)"(?=<br>|$)/g)];
    const goesOn = cells[0] === '…';
    if ((sources.length === 0 && !goesOn) || tests.length === 0) return [`nothing is named: ${cells[0]}`];
    return [
      ...sources.filter((path) => !existsSync(join(root, path))),
      ...tests.flatMap(([, path = '', title = '']) =>
        existsSync(join(root, path)) && titlesOf(path).includes(title) ? [] : [`${path}: "${title}"`],
      ),
    ];
  });
  assert.deepEqual(wrong, []);
});

test('every scenario of 4.1 has its row, and so has every phase', () => {
  const there = beginnings('4.1');
  for (const { title } of scenarios) assert.ok(there.includes(title), title);
  for (const phase of ['1 Pre-check', '2 Downtime monitor', '3 Apply', '5 Columns'])
    assert.ok(
      there.some((row) => row.startsWith(phase)),
      phase,
    );
});

test('every criterion and every requirement of 4.2 has its row', () => {
  const there = beginnings('4.2');
  const criteria = criterionTexts.map((text, index) => `${index + 1} ${text}`);
  assert.deepEqual(there.slice(0, criteria.length), criteria);
  for (const word of ['replicas', 'PodDisruptionBudget', 'Readiness probes', 'graceful termination', 'health checks'])
    assert.ok(
      there.slice(criteria.length).some((row) => row.includes(word)),
      word,
    );
});

test('every outcome of 3.3, every step of 4.3 and every error of 7 has its row', () => {
  assert.deepEqual(
    beginnings('3.3').map((row) => row.split(':')[0]),
    ['started', 'started', 'fetched', 'reset', 'reset'],
  );
  const steps = beginnings('4.3').map((row) => row.split(' ')[0]);
  assert.deepEqual(
    steps.slice(0, 10),
    Array.from({ length: 10 }, (_, index) => String(index + 1)),
  );
  assert.deepEqual(beginnings('7'), [
    'directory change fails',
    'fetch fails',
    'reset fails',
    'health status not 200',
    'probe status 503 or 504, or slow time',
    'single replica and pod deleted',
    'ingress controller pod deleted with downtime',
    'nodes restart after applying the node pool',
  ]);
});

test('everything that the specification leaves open has an answer', () => {
  const open = rows.filter(({ section }) => section.startsWith('What is open'));
  assert.ok(open.length >= 35);
  for (const { cells } of open) assert.ok(cells.length === 5 && cells.every((cell) => cell !== ''), cells[1]);
});

import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');
const files = (...patterns: readonly string[]): readonly string[] => globSync(patterns, { cwd: root }).sort();

const pages = files('docs/**/*.md', 'README.md', 'CONTRIBUTING.md', '{packaging,packages}/**/README.md');
const commented = files('{src,packages,test,bench,bin,packaging}/**/*.{ts,js}').filter(
  (path) => path !== 'test/docs.test.ts',
);

/** Whole sentences: a comment's line ends, and the marks at the beginning of its lines, are spaces. */
const sentences = (path: string): string => textOf(path).replaceAll(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ');
const headingsOf = (page: string): readonly string[] =>
  [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.replaceAll(/[`*]/g, ''));

/** Relative links and pictures of a page, from the top of the repository; without what is quoted as code. */
function linksOf(page: string): readonly { readonly to: string; readonly heading: string | undefined }[] {
  const prose = textOf(page).replaceAll(/^```[\s\S]*?^```/gm, '');
  return [...prose.matchAll(/\]\((?!https?:)([^)#\s]+)\)(?:,\s+"([^"]+)")?/g)].map(([, to = '', heading]) => ({
    to: normalize(join(dirname(page), to)),
    heading,
  }));
}

test('every relative link of a page leads to a file or folder of the project', () => {
  const broken = pages.flatMap((page) =>
    linksOf(page)
      .filter(({ to }) => !existsSync(join(root, to)))
      .map(({ to }) => `${page}: ${to}`),
  );
  assert.deepEqual(broken, []);
});

test('a page or a comment cites only headings that the cited page has', () => {
  const fromPages = pages.flatMap((page) => linksOf(page).map(({ to, heading }) => ({ by: page, to, heading })));
  const fromText = [...commented, ...pages].flatMap((by) =>
    [...sentences(by).matchAll(/(docs\/[\w/-]+\.md)(?:, "([^"]+)")?/g)].map(([, to = '', heading]) => ({
      by,
      to,
      heading,
    })),
  );
  const cited = [...fromPages, ...fromText].filter(({ to }) => to.endsWith('.md'));
  const wrong = cited.filter(
    ({ to, heading }) =>
      !existsSync(join(root, to)) || (heading !== undefined && !headingsOf(to).includes(heading.replaceAll('`', ''))),
  );
  assert.ok(cited.length > 100, 'citations are found');
  assert.deepEqual(
    wrong.map(({ by, to, heading }) => `${by}: ${to}${heading === undefined ? '' : `, "${heading}"`}`),
    [],
  );
});

test('a page names only files of the project that are there; the facts name those of other projects', () => {
  const own = pages.filter((page) => !page.startsWith('docs/facts/'));
  const wrong = own.flatMap((page) =>
    [...textOf(page).matchAll(/`((?:src|packages|test|bench|schemas|packaging|bin)\/[\w./-]+)`/g)]
      .map(([, path = '']) => path)
      .filter((path) => !path.includes('NAME') && !existsSync(join(root, path)))
      .map((path) => `${page}: ${path}`),
  );
  assert.deepEqual(wrong, []);
});

test('no cell of a table has more than 200 characters: what is longer is a section of its own', () => {
  const cellsOf = (line: string): readonly string[] => line.split(/(?<!\\)\|/).map((cell) => cell.trim());
  const wrong = pages.flatMap((page) =>
    [
      ...textOf(page)
        .replaceAll(/^```[\s\S]*?^```/gm, '')
        .matchAll(/^\|.*\|$/gm),
    ]
      .flatMap(([line]) => cellsOf(line))
      .filter((cell) => cell.length > 200)
      .map((cell) => `${page}: ${cell}`),
  );
  assert.deepEqual(wrong, []);
});

test('the index leads to every page, and so do those of the facts and of the decisions', () => {
  const indexes = { 'docs/README.md': 'docs/*.md', 'docs/facts/README.md': 'docs/facts/*.md' };
  const all = { ...indexes, 'docs/decisions/README.md': 'docs/decisions/*.md' };
  const missing = Object.entries(all).flatMap(([index, pattern]) => {
    const linked = new Set(linksOf(index).map(({ to }) => to));
    return files(pattern).filter((page) => page !== index && !linked.has(page));
  });
  assert.deepEqual(missing, []);
});

test('the picture of the architecture shows every room', () => {
  const picture = textOf('docs/architecture.svg');
  const rooms = files('src/{validation,deployment,cli}/*/', 'packages/embedded-cluster/src/*/').map((path) =>
    relative(dirname(path), path),
  );
  assert.ok(rooms.length > 40, 'rooms are found');
  assert.deepEqual(
    rooms.filter((room) => !new RegExp(`[>· ]${room}[<· :]`).test(picture)),
    [],
  );
});

test('no comment and no page cites what a reader cannot open', () => {
  const wrong = [...commented, ...pages].filter((path) => /\bfacts \d|\bcontract,? section/i.test(sentences(path)));
  assert.deepEqual(wrong, []);
});

test('no comment and no page has a phrase that a stranger reads twice', () => {
  const phrase = /in the place of|made anew|of somebody['’]s own/i;
  assert.deepEqual(
    [...commented, ...pages].filter((path) => phrase.test(sentences(path))),
    [],
  );
});

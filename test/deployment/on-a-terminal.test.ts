import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { type TestContext, test } from 'node:test';
import { textWidth } from '../../src/report/text-width.ts';
import { holdfast, programOf } from './support/holdfast.ts';
import { buildSite, type Site } from './support/site.ts';

const why =
  'a hotfix of the cart, whose reason takes more than one line of a terminal that is as wide as terminals are';

/** What a person sees: `script` gives the program a terminal of that width. */
function seen(site: Site, columns: number, words: readonly string[]): readonly string[] {
  const { command, environment } = programOf(site, words);
  const typed = command.map((word) => `'${word}'`).join(' ');
  const { stdout } = spawnSync('script', ['-qec', `stty cols ${columns}; ${typed}`, '/dev/null'], {
    cwd: site.folder,
    encoding: 'utf8',
    env: { ...environment, NO_COLOR: '1' },
  });
  return stdout.replaceAll('\r', '').trimEnd().split('\n');
}

async function deployed(t: TestContext): Promise<Site> {
  const site = await buildSite(t);
  site.push({ page: 'two' });
  assert.equal((await holdfast(site, ['deploy', '--message', why])).exitCode, 0);
  return site;
}

/** A word that is longer than the rest of the screen stays whole, such as a path that somebody copies. */
function isTooWide(line: string, columns: number): boolean {
  if (textWidth(line) <= columns) return false;
  const longest = Math.max(...line.split(' ').map(textWidth));
  return textWidth(line.trimStart()) - longest > columns / 2;
}

test('history, status, show, lock and unlock wrap at words on a terminal; elsewhere a run is one line, which grep finds', async (t) => {
  const site = await deployed(t);
  const { stdout } = await holdfast(site, ['history']);
  assert.match(stdout, new RegExp(`^\\S+ .*${why}\n$`));
  const lock = ['lock', '--reason', why];
  for (const words of [['history'], ['status'], ['show'], lock, lock, ['unlock']]) {
    const columns = words[0] === 'show' ? 40 : 80;
    const lines = seen(site, columns, words);
    assert.deepEqual(
      lines.filter((line) => isTooWide(line, columns)),
      [],
      words[0],
    );
    assert.ok(lines.join(' ').replaceAll(/\s+/g, ' ').includes(why), `${words[0]}: ${lines.join('\n')}`);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readStatus } from '../../src/cli/runs/read-status.ts';
import { memoryFiles } from '../../src/host/memory-files.ts';
import { statusPage } from '../../src/report/status-page.ts';

const at = (second: number) => new Date(Date.parse('2026-11-20T10:00:00.000Z') + 1000 * second).toISOString();
const log = [
  '# holdfast downtime-log 1 target=http://up/ target=http://down/?a=<b>&c interval=1s timeout=10s slow=1s expect=200',
  ...Array.from({ length: 60 }, (_, second) => [
    `${at(second)} 200 0.010 target=http://up/`,
    `${at(second)} ${second < 50 ? '200' : '503'} 0.010 target=http://down/?a=<b>&c`,
  ]).flat(),
].join('\n');

async function page(madeAt: string): Promise<string> {
  const files = memoryFiles();
  await files.replace('log', `${log}\n`);
  return statusPage({ targets: await readStatus({ files }, ['log']), madeAt: Date.parse(madeAt) });
}

test('the page has the target that is down first, its outage, and nothing of a target as markup', async () => {
  const html = await page(at(61));
  assert.match(html, /<p class="verdict fail">1 of 2 down<\/p>/);
  const [first = '', second = ''] = [...html.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, title = '']) => title);
  assert.match(first, /^http:\/\/down\/\?a=&#60;b&#62;&#38;c .*✗ down/);
  assert.match(second, /^http:\/\/up\/ .*✓ up/);
  assert.match(html, /<td>2026-11-20 10:00:50<\/td><td>[^<]*, not over<\/td><td>all<\/td><td>503<\/td>/);
  assert.doesNotMatch(html, /<script|http-equiv="refresh"/);
});

test('without a new sample a target is neither up nor down', async () => {
  const html = await page(at(300));
  assert.match(html, /<p class="verdict inconclusive">2 of 2 without samples<\/p>/);
  assert.equal(html.match(/\? no samples since 2026-11-20 10:01:00/g)?.length, 2);
});

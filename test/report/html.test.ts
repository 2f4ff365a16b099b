import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { style } from '../../src/report/html/style.ts';
import { reportHtml } from '../../src/report/html.ts';
import { sourceOf } from '../../src/report/markup.ts';
import { pictureSpans, type ReportedRun } from '../../src/report/reported-run.ts';
import { trafficIn } from '../../src/report/traffic.ts';
import type { OutageKind } from '../../src/validation/downtime/outage-kind.ts';
import { anyResult, hostileText } from '../support/any-result.ts';
import { at, change, pod } from '../support/changes.ts';
import { assertRecorded } from '../support/recorded.ts';
import { richFacts, richLog, richResult, richRun } from '../support/rich-run.ts';
import { type Element, elements, parseXml, textOf } from '../support/xml.ts';

test('the page has the verdict, the run in time, results, criteria, and a section for every scenario', () => {
  assertRecorded(new URL('fixtures/report.html', import.meta.url), reportHtml(richRun()));
});

test('the same run gives the same bytes', () => {
  assert.equal(reportHtml(richRun()), reportHtml(richRun()));
});

test('the page makes no request and runs no script', () => {
  const root = parseXml(reportHtml(richRun()));
  const names = new Set(all(root).map(({ name }) => name));
  for (const name of [
    'script',
    'link',
    'img',
    'iframe',
    'object',
    'embed',
    'base',
    'form',
    'image',
    'use',
    'foreignObject',
  ])
    assert.ok(!names.has(name), name);
  for (const { attributes } of all(root)) {
    assert.ok(!('src' in attributes || 'style' in attributes || 'srcset' in attributes));
    assert.ok(!Object.keys(attributes).some((key) => key.startsWith('on')));
    assert.match(attributes.href ?? '#', /^#/);
  }
  assert.doesNotMatch(sourceOf(style), /url\(|@import/);
});

test('the Content-Security-Policy allows the page’s own style and nothing else', () => {
  const root = parseXml(reportHtml(richRun()));
  const policy = elements(root, 'meta').find(({ attributes }) => attributes['http-equiv'] !== undefined)?.attributes
    .content;
  const hash = createHash('sha256')
    .update(textOf(elements(root, 'style')[0] ?? root))
    .digest('base64');
  assert.equal(policy, `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`);
});

test('text from the cluster never becomes markup', () => {
  const shape = (root: Element): string =>
    `${root.name}(${all(root)
      .map(({ name }) => name)
      .join(' ')})`;
  const withText = (text: string): ReportedRun => {
    const run = richRun();
    const facts = [...richFacts, change(2080, 'Pod', text, pod(text, { ready: false }), 'added')];
    const findings = run.result.findings.map((finding) => ({
      ...finding,
      subject: text,
      observed: text,
      advice: text,
    }));
    return {
      ...run,
      facts,
      result: { ...run.result, findings, run: { ...run.result.run, id: `${text}x`, cluster: text } },
    };
  };
  const harmless = shape(parseXml(reportHtml(withText('text'))));
  fc.assert(
    fc.property(
      hostileText.filter((text) => text !== ''),
      (text) => assert.equal(shape(parseXml(reportHtml(withText(text)))), harmless),
    ),
    { numRuns: 50 },
  );
});

test('the page is well-formed XML for any result, with a log and without', () => {
  fc.assert(
    fc.property(anyResult, fc.boolean(), (result, logged) => {
      const traffic = trafficIn(logged ? richLog : undefined, pictureSpans(result, richFacts));
      const root = parseXml(reportHtml({ result, facts: richFacts, traffic }));
      assert.equal(elements(root, 'article').length, 10);
    }),
    { numRuns: 30 },
  );
});

test('a run that the pre-check stopped has no picture', () => {
  const scenarios = richResult.scenarios.map((one) => ({ ...one, window: null, downtime: null }));
  const result = { ...richResult, scenarios, outages: [] };
  const page = reportHtml({ result, facts: [], traffic: trafficIn(undefined, pictureSpans(result, [])) });
  assert.doesNotMatch(page, /The run in time/);
  assert.match(page, /There is no downtime log\./);
});

test('the picture of the run links to every scenario with a window', () => {
  const root = parseXml(reportHtml(richRun()));
  const ids = new Set(elements(root, 'article').map(({ attributes }) => attributes.id));
  const links = elements(root, 'a').map(({ attributes }) => attributes.href?.slice(1));
  assert.equal(links.length, 9);
  assert.ok(links.every((link) => ids.has(link)));
});

test('every picture has a text alternative', () => {
  const root = parseXml(reportHtml(richRun()));
  const pictures = elements(root, 'svg').filter(({ attributes }) => attributes.class === 'picture');
  assert.equal(pictures.length, 10);
  for (const { attributes } of pictures) {
    assert.match(attributes.role ?? '', /^(img|group)$/);
    assert.notEqual(attributes['aria-label'] ?? '', '');
  }
});

test('the page of a flapping application’s day has less than 250 kB', () => {
  const day = 86_400;
  const kinds: readonly OutageKind[] = ['503', 'slow'];
  const ticks = Array.from({ length: day }, (_, second) => {
    const kind = kinds[second % 4];
    return kind === undefined ? { at: at(second) } : { at: at(second), kind };
  });
  const finishedAt = new Date(at(day)).toISOString();
  const [outage] = richResult.outages;
  assert.ok(outage);
  const outages = Array.from({ length: day / 4 }, (_, index) => ({
    ...outage,
    from: new Date(at(index * 4)).toISOString(),
  }));
  const [warning] = richResult.findings.slice(1);
  assert.ok(warning);
  const findings = outages.map(() => warning);
  const result = { ...richResult, run: { ...richResult.run, finishedAt }, outages, findings };
  const facts = [...richFacts, { type: 'run-finished' as const, at: finishedAt }];
  const traffic = trafficIn({ ...richLog, ticks }, pictureSpans(result, facts));
  const { length } = reportHtml({ result, facts, traffic });
  assert.ok(length < 250_000, `${length} bytes`);
});

function all(root: Element): readonly Element[] {
  return [root, ...root.children.flatMap((child) => (typeof child === 'string' ? [] : all(child)))];
}

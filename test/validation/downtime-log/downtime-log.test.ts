import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Sample } from '../../../src/host/host.ts';
import { probeErrors } from '../../../src/host/probe/probe-errors.ts';
import {
  defaultHeader,
  formatHeader,
  formatSample,
  type LogHeader,
  parseExtra,
  parseHeader,
} from '../../../src/validation/downtime-log/downtime-log.ts';
import { formatFact, type LogFact, parseFact } from '../../../src/validation/downtime-log/log-facts.ts';

const AT = Date.parse('2026-11-20T10:00:00.203Z');
const sample = (over: Partial<Sample>): Sample => ({
  at: AT,
  status: 200,
  seconds: 0.012,
  connection: 'new',
  phases: {},
  ...over,
});

test('lines have the format of docs/contract.md', () => {
  const header = {
    targets: ['http://app.example/'],
    intervalSeconds: 1,
    timeoutSeconds: 10,
    slowSeconds: 1,
    expect: 200,
  };
  assert.equal(
    formatHeader(header),
    '# holdfast downtime-log 1 target=http://app.example/ interval=1s timeout=10s slow=1s expect=200\n',
  );
  assert.equal(formatSample(sample({}), false), '2026-11-20T10:00:00.203Z 200 0.012\n');
  assert.equal(
    formatSample(sample({ at: AT + 1000, status: 503, seconds: 0.004, bodyMatched: false }), true),
    '2026-11-20T10:00:01.203Z 503 0.004 body=no\n',
  );
  assert.equal(
    formatSample(sample({ at: AT + 2000, status: 0, seconds: 10, error: 'timeout' }), true),
    '2026-11-20T10:00:02.203Z 000 10.000 error=timeout\n',
  );
  assert.equal(
    formatSample(sample({ seconds: 0.003, connection: 'reused' }), false),
    '2026-11-20T10:00:00.203Z 200 0.003 connection=reused\n',
  );
  const missed: LogFact = { type: 'missed', ticks: 4, from: AT + 3000, reason: 'event-loop' };
  assert.equal(formatFact(missed), '# missed 4 from=2026-11-20T10:00:03.203Z reason=event-loop\n');
  assert.equal(formatFact({ type: 'clock-step', seconds: 1.204 }), '# clock-step 1.204\n');
});

test('the line of a bad sample has its phases, that of a good one has not', () => {
  const slow = sample({ seconds: 2.5, phases: { dns: 2.4, connect: 0.01, firstByte: 0.09 } });
  assert.match(formatSample(slow, true), / 200 2\.500 dns=2\.400 connect=0\.010 firstByte=0\.090\n$/);
  assert.match(formatSample(slow, false), / 200 2\.500\n$/);
});

const seconds = fc.constantFrom(0.2, 0.5, 1, 5, 10, 60, 90, 3600);
const url = fc.webUrl({ validSchemes: ['http', 'https'], withQueryParameters: true });
const headers: fc.Arbitrary<LogHeader> = fc.record({
  targets: fc.array(url, { minLength: 1, maxLength: 3 }),
  intervalSeconds: seconds,
  timeoutSeconds: seconds,
  slowSeconds: seconds,
  expect: fc.integer({ min: 100, max: 599 }),
});

test('a header has what counts for one target behind it', () => {
  const own = { 'http://b/': { expect: 301, slowSeconds: 2.5 }, 'http://c/': { slowSeconds: 5 } };
  const header = { ...defaultHeader, targets: ['http://a/', 'http://b/', 'http://c/'], own };
  const line = formatHeader(header);
  assert.match(
    line,
    / target=http:\/\/a\/ target=http:\/\/b\/ target-expect=301 target-slow=2500ms target=http:\/\/c\/ target-slow=5s interval=/,
  );
  assert.deepEqual(parseHeader(line), header);
});

test('a header is read back as it was written', () => {
  fc.assert(fc.property(headers, (header) => assert.deepEqual(parseHeader(formatHeader(header)), { ...header })));
});

test('a header of another version is recognized, and other # lines are no headers', () => {
  assert.deepEqual(parseHeader('# holdfast downtime-log 2 target=http://a/'), { version: '2' });
  assert.equal(parseHeader('# missed 4 from=2026-11-20T10:00:03.203Z'), undefined);
  assert.equal(parseHeader('2026-11-20T10:00:00.203Z 200 0.012'), undefined);
});

const errors = fc.constantFrom(...probeErrors);

test('the words behind the three fields are read back, and unknown keys are ignored', () => {
  const extras = fc.record(
    {
      error: errors,
      bodyMatched: fc.constant(false as const),
      connection: fc.constantFrom('new', 'reused'),
      target: url,
    },
    { requiredKeys: ['connection'] },
  );
  fc.assert(
    fc.property(extras, fc.boolean(), ({ target, ...over }, bad) => {
      const line = formatSample(sample({ ...over, phases: { dns: 1 } } as Partial<Sample>), bad, target).trimEnd();
      const words = line.split(' ').slice(3).join(' ');
      const said = { ...over, ...(target === undefined ? {} : { target }) };
      assert.deepEqual(parseExtra(` ${words}`), said);
      assert.deepEqual(parseExtra(` ${words} colour=blue later`), said);
    }),
  );
});

test('a torn line and values that no monitor writes are ignored', () => {
  for (const words of [' connection=reu', ' error=time', ' body=n', ' torn=yes', ' error=timeout torn=yes'])
    assert.equal(parseExtra(words), undefined, words);
});

const instants = fc.integer({ min: Date.parse('2000-01-01'), max: Date.parse('2100-01-01') });
const millis = fc.integer({ min: 1, max: 10_000_000 }).map((count) => count / 1000);
const facts: fc.Arbitrary<LogFact> = fc.oneof(
  fc.record({
    type: fc.constant('missed' as const),
    ticks: fc.integer({ min: 1, max: 1e6 }),
    from: instants,
    reason: fc.constant('event-loop'),
  }),
  fc.record(
    {
      type: fc.constant('unknown' as const),
      from: instants,
      reason: fc.constantFrom('stopped', 'prober'),
      connection: fc.constantFrom('new' as const, 'reused' as const),
      target: url,
    },
    { requiredKeys: ['type', 'from', 'reason', 'connection'] },
  ),
  fc.record({ type: fc.constant('stall' as const), seconds: millis, from: instants }),
  fc.record({
    type: fc.constant('clock-step' as const),
    seconds: fc.oneof(
      millis,
      millis.map((value) => -value),
    ),
  }),
  fc.record({ type: fc.constant('end' as const), at: instants }),
);

test('a fact about the monitor is read back as it was written', () => {
  fc.assert(fc.property(facts, (fact) => assert.deepEqual(parseFact(formatFact(fact)), { ...fact })));
});

test('other # lines are no facts', () => {
  for (const line of [
    '#',
    '# a remark',
    '# missed many from=x',
    '# missed 4',
    '# missed -1 from=2026-11-20T10:00:03.203Z',
    '# stall x',
    '# constructor 1',
  ])
    assert.equal(parseFact(line), undefined, line);
  fc.assert(fc.property(fc.string(), (text) => assert.equal(parseFact(`# x${text}`), undefined)));
});

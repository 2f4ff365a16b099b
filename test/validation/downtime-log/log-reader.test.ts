import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { UsageError } from '../../../src/host/errors.ts';
import { downtimeLogReader, downtimeWithin } from '../../../src/validation/downtime/read-downtime-log.ts';

const HEADER = '# holdfast downtime-log 1 target=http://app.example/ interval=1s timeout=10s slow=1s expect=200\n';
const START = Date.parse('2026-11-20T10:00:00.203Z');
const time = (second: number) => new Date(START + second * 1000).toISOString();

function read(text: string) {
  const reader = downtimeLogReader();
  reader.push(Buffer.from(text));
  return reader.end();
}
const good = (from: number, count: number) =>
  Array.from({ length: count }, (_, second) => `${time(from + second)} 200 0.004\n`).join('');

/** The lines that `holdfast monitor` may write for one second. */
const ours: Readonly<Record<string, (second: number) => string>> = {
  wrongPage: (second) => `${time(second)} 200 0.004 body=no\n`,
  timeout: (second) => `${time(second)} 000 10.000 error=timeout\n`,
  missed: (second) => `# missed 1 from=${time(second)} reason=event-loop\n`,
  unknown: (second) => `# unknown 1 from=${time(second)} reason=stopped\n`,
  kept: (second) => `${time(second)} 503 0.004 connection=reused\n`,
  fine: (second) => `${time(second)} 200 0.004\n`,
};

test('a log of holdfast whose header was cut away has the same samples', () => {
  const seconds = fc.array(fc.constantFrom(...Object.keys(ours)), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 20 }), seconds, (before, kinds) => {
      const words = kinds.map((kind, second) => ours[kind]?.(before + second)).join('');
      const rest = good(before + kinds.length, 3);
      const kept = `${time(before + kinds.length + 3)} 200 0.004 connection=reused\n`;
      const [whole, cut] = [
        read(HEADER + good(0, before) + words + rest + kept),
        read(good(0, before) + words + rest + kept),
      ];
      assert.equal(cut.settings?.format, 'holdfast');
      assert.deepEqual([cut.ticks, cut.reused], [whole.ticks, whole.reused]);
      assert.deepEqual(downtimeWithin(cut), downtimeWithin(whole));
    }),
  );
});

test('a log of plain lines, with or without a clock-offset line, is a curl loop’s', () => {
  assert.equal(read(`# clock-offset 0.100 uncertainty=0.500\n${good(0, 5)}`).settings?.format, 'curl');
});

test('a log that names targets is refused without its header', () => {
  for (const line of [
    `${time(1)} 503 0.004 target=http://control.example/\n`,
    `# unknown 1 from=${time(1)} reason=prober target=http://control.example/\n`,
  ])
    assert.throws(
      () => read(good(0, 1) + line + good(2, 1)),
      (error) =>
        error instanceof UsageError &&
        /names the target http:\/\/control\.example\/, but its header/.test(error.message),
    );
});

test('a clock that was set back shifts only the times of its own monitor', () => {
  const stepped = `${HEADER}${good(0, 20)}# clock-step -60.000\n${good(20 - 60, 20)}`;
  const day = 86_400;
  const { ticks } = read(stepped + HEADER + good(day, 5));
  assert.deepEqual(
    ticks.slice(-5).map(({ at }) => at),
    [0, 1, 2, 3, 4].map((second) => START + (day + second) * 1000),
  );
  const soon = read(stepped + HEADER + good(-15, 5)).ticks.slice(-5);
  assert.deepEqual(
    soon.map(({ at }) => at),
    [45, 46, 47, 48, 49].map((second) => START + second * 1000),
    'within the minute that was gained its times would go back',
  );
});

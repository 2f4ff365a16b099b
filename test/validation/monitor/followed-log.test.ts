import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type FollowedLog, followedLog } from '../../../src/validation/monitor/followed-log.ts';

const START = Date.parse('2026-11-20T10:00:00.000Z');
const HEADER = '# holdfast downtime-log 1 target=http://app.example/ interval=5s timeout=10s slow=1s expect=200';

/** As `date -u` and `curl -w '%{http_code} %{time_total}'` write it, line by line. */
function coarse(at: number): string {
  const [weekday, day, month, year, time] = new Date(at).toUTCString().replace(',', '').split(' ');
  return `${weekday} ${month} ${day} ${time} UTC ${year}`;
}
const fine = (at: number) => `${new Date(at).toISOString().slice(0, -1)}000+00:00`;

interface Loop {
  readonly loopSeconds: number;
  readonly lines: number;
  readonly date: (at: number) => string;
  readonly phaseMs?: number;
  readonly behindMs?: number;
}

/** The output of a curl loop that sleeps for a second, each line read a tenth of a second after it was written. */
function loopLog({ loopSeconds, lines, date, phaseMs = 0, behindMs = 0 }: Loop): FollowedLog {
  const log = followedLog();
  const seconds = Math.min(0.9, loopSeconds - 1);
  for (let line = 0; line < lines; line += 1) {
    const at = Math.round(START + phaseMs + line * loopSeconds * 1000);
    const cameAt = at + seconds * 1000 + 100;
    log.take(date(at - behindMs), cameAt);
    log.take(`200 ${seconds.toFixed(6)}`, cameAt);
  }
  return log;
}

const loops = fc.record({
  loopSeconds: fc.integer({ min: 1005, max: 1900 }).map((millis) => millis / 1000),
  date: fc.constantFrom(coarse, fine),
  phaseMs: fc.nat(999),
});

test('every good sample of a curl loop is in the row, however long its requests take', () => {
  fc.assert(
    fc.property(loops, fc.integer({ min: 2, max: 120 }), (loop, lines) => {
      const log = loopLog({ ...loop, lines });
      assert.equal(log.goodInARow(START - 1000), lines);
    }),
  );
});

test('a missing line of a curl loop ends its row', () => {
  fc.assert(
    fc.property(loops, (loop) => {
      const log = loopLog({ ...loop, lines: 40 });
      const at = START + (loop.phaseMs ?? 0) + 43 * loop.loopSeconds * 1000;
      log.take(loop.date(Math.round(at)), at);
      log.take('200 0.010000', at);
      assert.equal(log.goodInARow(0), 1);
    }),
  );
});

test('a bastion’s clock counts as behind only if it is, also if its times are whole seconds', () => {
  fc.assert(
    fc.property(loops, fc.integer({ min: 2600, max: 60_000 }), (loop, behindMs) => {
      assert.ok((loopLog({ ...loop, lines: 1 }).behindSeconds() ?? 9) <= 0.2);
      assert.ok((loopLog({ ...loop, lines: 40, behindMs }).behindSeconds() ?? 0) > 1.25);
    }),
  );
  assert.equal(followedLog().behindSeconds(), undefined);
});

test('the interval comes from the header, or from the typical gap of a curl loop', () => {
  const log = followedLog();
  log.take(HEADER, START);
  assert.equal(log.intervalSeconds(), 5);
  assert.equal(loopLog({ loopSeconds: 1.5, lines: 20, date: fine }).intervalSeconds(), 1.5);
});

test('a line of holdfast monitor without a header before it is refused, a plain line is a curl loop’s', () => {
  const plain = '2026-11-20T10:00:00.203Z 200 0.012';
  assert.equal(followedLog().take(plain, START).length, 1);
  assert.deepEqual(followedLog().take('# clock-offset 0.100 uncertainty=0.500', START), []);
  for (const line of [`${plain} connection=reused`, `${plain} dns=0.001`, '# missed 1 from=2026-11-20T10:00:00.203Z']) {
    assert.throws(() => followedLog().take(line, START), /no header came before it/);
    const log = followedLog();
    log.take(HEADER, START);
    assert.doesNotThrow(() => log.take(line, START));
  }
});

test('only samples of the first target are passed on, in whatever order targets answer', () => {
  const log = followedLog();
  const header = 'target=http://a/ target=http://b/ control=http://c/ interval=1s timeout=10s slow=1s expect=200';
  log.take(`# holdfast downtime-log 1 ${header}`, START);
  const targetsOf = (line: string) =>
    log.take(`${new Date(START).toISOString()} ${line}`, START).map(({ target }) => target);
  assert.deepEqual(targetsOf('503 0.012 target=http://b/'), []);
  assert.deepEqual(targetsOf('503 0.012 target=http://c/'), []);
  assert.deepEqual(targetsOf('200 0.900 target=http://a/'), ['http://a/']);
});

test('a log whose clock is set ahead between two lines tells it, with the difference of both witnesses', () => {
  const log = followedLog();
  const told: number[] = [];
  log.onClockSet((seconds) => told.push(seconds));
  const start = Date.parse('2026-11-20T10:00:00.000Z');
  for (let second = 0; second < 60; second += 1) {
    const set = second < 40 ? 0 : 1500;
    log.take(`${new Date(start + 1000 * second + set).toISOString()} 200 0.010`, start + 1000 * second + 60);
  }
  assert.deepEqual(told, [1.5]);
});

test('a curl loop’s clock that is set by seconds is reported too, though its times are whole seconds', () => {
  const log = followedLog();
  const told: number[] = [];
  log.onClockSet((seconds) => told.push(seconds));
  for (let line = 0; line < 120; line += 1) {
    const at = START + 1013 * line;
    const set = line < 60 ? 0 : -3000;
    log.take(`${coarse(at + set)}`, at + 60);
    log.take('200 0.010', at + 60);
  }
  assert.equal(told.length, 1);
  assert.ok(Math.abs((told[0] ?? 0) + 3) <= 1, `${told}`);
});

test('a step that the log itself tells is reported once and to the millisecond, however small', () => {
  const log = followedLog();
  const told: number[] = [];
  log.onClockSet((seconds) => told.push(seconds));
  log.take('# holdfast downtime-log 1 target=http://a/ interval=1s timeout=10s slow=1s expect=200', START);
  for (let second = 0; second < 120; second += 1) {
    const set = second < 40 ? 0 : second < 80 ? 300 : 300 - 2000;
    if (second === 40) log.take('# clock-step 0.300', START + 1000 * second);
    if (second === 80) log.take('# clock-step -2.000', START + 1000 * second);
    log.take(`${new Date(START + 1000 * second + set).toISOString()} 200 0.010`, START + 1000 * second + 60);
  }
  assert.deepEqual(told, [0.3, -2]);
});

test('of several targets each has its own row of good samples; a tick that is missing for all ends every row', () => {
  const [shop, forum] = ['http://shop.example/', 'http://forum.example/'];
  const log = followedLog([shop, forum]);
  const take = (line: string) => log.take(line, START).length;
  take(
    `# holdfast downtime-log 1 target=${shop} target=${forum} target=http://other.example/ interval=1s timeout=10s slow=1s expect=200`,
  );
  const line = (second: number, status: number, target: string) =>
    `${new Date(START + second * 1000).toISOString()} ${status} 0.010 target=${target}`;
  const rows = () => [shop, forum].map((url) => log.goodInARow(START, url));
  for (const second of [0, 1, 2]) assert.equal(take(line(second, 200, shop)) + take(line(second, 200, forum)), 2);
  assert.equal(take(line(2, 200, 'http://other.example/')), 0, 'nobody watches it');
  assert.deepEqual(rows(), [3, 3]);
  take(line(3, 503, forum));
  take(line(3, 200, shop));
  assert.deepEqual([...rows(), log.goodInARow(START)], [4, 0, 4]);
  take(`# missed 1 from=${new Date(START + 4000).toISOString()} reason=event-loop`);
  assert.deepEqual(rows(), [0, 0]);
});

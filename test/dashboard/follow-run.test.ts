import assert from 'node:assert/strict';
import { appendFileSync, utimesSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { followRun } from '../../src/dashboard/follow-run.ts';
import { nodeFiles } from '../../src/host/files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const fact = (second: number): string =>
  `{"at":"2026-11-20T10:00:0${second}.000Z","type":"scenario-started","scenario":"load"}\n`;

test('only the appended part of a file is read', async (t) => {
  const folder = temporaryFolder(t);
  const asked: (number | undefined)[] = [];
  const files = nodeFiles();
  const run = followRun(
    {
      ...files,
      chunks: (path, fromByte) => {
        asked.push(fromByte);
        return files.chunks(path, fromByte);
      },
    },
    folder,
  );
  await run.look();
  assert.deepEqual([run.evidence().facts, run.evidence().logs], [[], []]);
  writeFileSync(`${folder}/journal.jsonl`, fact(0));
  await run.look();
  await run.look();
  appendFileSync(`${folder}/journal.jsonl`, fact(1).slice(0, 30));
  await run.look();
  assert.equal(run.evidence().facts.length, 1);
  appendFileSync(`${folder}/journal.jsonl`, fact(1).slice(30));
  await run.look();
  assert.equal(run.evidence().facts.length, 2);
  assert.deepEqual(asked, [0, fact(0).length, fact(0).length + 30]);
});

test('writtenAt is when one of the files was last written', async (t) => {
  const folder = temporaryFolder(t);
  const run = followRun(nodeFiles(), folder);
  await run.look();
  assert.equal(run.writtenAt(), 0);
  for (const [file, at] of [
    ['journal.jsonl', 2000],
    ['downtime.log', 1000],
    ['downtime.log', 5000],
  ] as const) {
    writeFileSync(`${folder}/${file}`, '');
    utimesSync(`${folder}/${file}`, at, at);
    await run.look();
    assert.equal(run.writtenAt(), Math.max(at, 2000) * 1000, file);
  }
});

test('a growing log is read as a whole, with late lines in their places', async (t) => {
  const folder = temporaryFolder(t);
  const run = followRun(nodeFiles(), folder);
  const header = '# holdfast downtime-log 1 target=http://app.example/ interval=1s timeout=10s slow=1s expect=200\n';
  writeFileSync(`${folder}/downtime.log`, `${header}2026-11-20T10:00:02.203Z 200 0.012\n`);
  await run.look();
  appendFileSync(`${folder}/downtime.log`, '2026-11-20T10:00:01.203Z 000 2.000 error=timeout\n2026-11-20T10:0');
  await run.look();
  assert.deepEqual(
    run
      .evidence()
      .logs[0]?.log.ticks.map((tick) => [new Date(tick.at).getUTCSeconds(), 'kind' in tick ? tick.kind : 'good']),
    [
      [1, 'timeout'],
      [2, 'good'],
    ],
  );
});

test('a log that is read in many pieces is whole: none is the memory of a later one', async (t) => {
  const folder = temporaryFolder(t);
  const header = '# holdfast downtime-log 1 target=http://app.example/ interval=1s timeout=10s slow=1s expect=200\n';
  const startAt = Date.UTC(2026, 10, 20);
  // Four mebibytes: a file is read by at most one at a time.
  const count = 120_000;
  const lines = Array.from({ length: count }, (_, second) => {
    return `${new Date(startAt + 1000 * second).toISOString()} ${second % 1000 === 0 ? 503 : 200} 0.012\n`;
  });
  writeFileSync(`${folder}/downtime.log`, header + lines.join(''));
  const run = followRun(nodeFiles(), folder);
  await run.look();
  const { ticks = [] } = run.evidence().logs[0]?.log ?? {};
  assert.equal(ticks.length, count);
  assert.ok(ticks.every(({ at }, second) => at === startAt + 1000 * second));
});

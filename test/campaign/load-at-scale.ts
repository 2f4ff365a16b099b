import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { withoutHistogram } from '../../src/host/load/merge.ts';
import { shareOf } from '../../src/host/load/shares.ts';
import { tally } from '../../src/host/load/tally.ts';
import { reportLine, terminationMessage, type WorkerReport } from '../../src/host/load/worker.ts';
import { outcomeOf } from '../../src/validation/load-job/outcome.ts';
import { readReport } from '../../src/validation/load-job/read-report.ts';
import type { Scaled } from '../support/load-at-scale.ts';

/**
 * The load scenario from so many pods on an embedded cluster, in virtual time. WORKERS and REQUESTS name other sizes.
 * docs/scale.md has the figures.
 */
const sizes = (process.env.WORKERS ?? '10,100,1000').split(',').map(Number);
const requestsEach = Number(process.env.REQUESTS ?? 20);
const program = join(import.meta.dirname, '../support/load-at-scale.ts');

for (const workers of sizes)
  test(`${workers} workers with ${requestsEach} requests each`, (t) => {
    const words = ['--max-old-space-size=12000', program, String(workers), String(requestsEach)];
    const text = execFileSync(process.execPath, words, { encoding: 'utf8' });
    const scaled: Scaled = JSON.parse(text.trim().split('\n').at(-1) ?? '');
    assert.deepEqual([scaled.counted, scaled.sound], [scaled.asked, workers], text);
    t.diagnostic(text);
  });

/** Times whose logarithm is normal around 5 ms, by a generator that is the same on every machine (Park and Miller). */
function drawnSeconds(): () => number {
  let seed = 1;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  return () => 0.005 * Math.exp(0.7 * Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random()));
}

test('10,000,000 answers of 10,000 workers are added from their reports to what one worker would have counted', (t) => {
  const plan = { url: 'http://app.example.com/', requests: 10_000_000, concurrency: 10_000, timeoutSeconds: 10 };
  const workers = 10_000;
  const next = drawnSeconds();
  const one = tally(plan);
  const lines = Array.from({ length: workers }, (_, index) => {
    const { requests } = shareOf(plan, workers, index);
    const counted = tally({ requests, timeoutSeconds: plan.timeoutSeconds });
    for (let k = 0; k < requests; k += 1) {
      const seconds = next();
      counted.answered(200, seconds);
      one.answered(200, seconds);
    }
    const { startedAt, seconds, statuses, errors, histogram } = counted.end(0, 5);
    const told = { index, requests, startAt: 0, toldAt: 0 };
    return reportLine({
      ...{ holdfast: 'load-worker', version: 1, ...told, startedAt, seconds, statuses, errors, histogram },
    } as WorkerReport);
  });
  const begun = process.cpuUsage();
  const ends = lines.map((line, index) => ({ index, report: readReport(line) ?? assert.fail(line) }));
  const { workers: seen, ...outcome } = outcomeOf(plan, workers, ends, 0);
  const { user } = process.cpuUsage(begun);
  assert.deepEqual(outcome, withoutHistogram(one.end(0, 5)));
  assert.equal(seen?.sound, workers);
  const bytes = lines.reduce((sum, line) => sum + line.length, 0);
  const short = ends.filter(({ report }) => readReport(terminationMessage(report))?.histogram !== null).length;
  t.diagnostic(
    JSON.stringify({ bytesOfReport: bytes / workers, fitTheTerminationMessage: short, cpuSeconds: user / 1e6 }),
  );
});

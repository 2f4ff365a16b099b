import assert from 'node:assert/strict';
import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { OperationError } from '../../../src/host/errors.ts';
import { nodeFiles } from '../../../src/host/files.ts';
import type { Files } from '../../../src/host/host.ts';
import { analyze, analyzeFiles } from '../../../src/validation/downtime/analyze.ts';
import { inOrder, rotatedLogs } from '../../../src/validation/downtime/rotated-logs.ts';
import { lastingFiles, type Rotation } from '../../../src/validation/downtime-log/lasting-log.ts';
import type { Kept } from '../../../src/validation/downtime-log/remove-old.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const header = '# holdfast downtime-log 1 target=http://app.example/ interval=1s timeout=10s slow=1s expect=200\n';
const start = Date.parse('2026-11-20T23:59:00.203Z');
const line = (second: number) => {
  const result = second % 20 === 7 ? '503 0.004' : '200 0.012';
  return `${new Date(start + second * 1000).toISOString()} ${result}\n`;
};

interface Writing {
  readonly path: string;
  readonly said: string[];
  /** Writes the lines of these seconds, each at its time, and `before` each what happens then. */
  readonly write: (from: number, to: number, before?: (second: number) => void) => Promise<void>;
  readonly close: () => Promise<void>;
  readonly names: () => readonly string[];
}

async function writing(
  t: Pick<TestContext, 'after'>,
  rotate?: Rotation,
  files: Files = nodeFiles(),
  kept?: Kept,
): Promise<Writing> {
  const path = join(temporaryFolder(t), 'downtime.log');
  const said: string[] = [];
  let now = start;
  const clock = { wallAt: () => now };
  const appender = await lastingFiles(files, clock, { rotate, kept, say: (sentence) => said.push(sentence) }).append(
    path,
  );
  await appender.write(header);
  return {
    path,
    said,
    close: () => appender.close(),
    names: () => readdirSync(join(path, '..')).map((name) => join(path, '..', name)),
    write: async (from, to, before = () => {}) => {
      for (let second = from; second < to; second++) {
        now = start + second * 1000;
        before(second);
        await appender.write(line(second));
      }
    },
  };
}

/** The same lines in one file that nobody touched. */
async function expected(t: Pick<TestContext, 'after'>, seconds: number) {
  const path = join(temporaryFolder(t), 'whole.log');
  writeFileSync(path, header + Array.from({ length: seconds }, (_, second) => line(second)).join(''));
  return analyze(nodeFiles(), path);
}

/** A line that stands in two files is read twice. */
const withoutLines = ({ unread, ...result }: Awaited<ReturnType<typeof expected>>): object => ({
  ...result,
  unread: { ...unread, ofLines: undefined },
});

async function together(paths: readonly string[]) {
  assert.equal(rotatedLogs(paths).length, 1, paths.join(' '));
  return analyzeFiles({ files: nodeFiles() }, await inOrder(nodeFiles(), paths));
}

test('a log that is rotated by size is whole in its files, and each begins with the settings', async (t) => {
  const log = await writing(t, { bytes: 1000 });
  await log.write(0, 200);
  await log.close();
  const names = log.names();
  assert.ok(names.length >= 7, names.join(' '));
  for (const name of names) {
    const text = readFileSync(name, 'utf8');
    assert.match(
      text,
      /^# holdfast downtime-log 1 target=\S+ interval=1s timeout=10s slow=1s expect=200( continues=yes)?\n/,
    );
    assert.ok(text.length <= 1000, `${name} has ${text.length} bytes`);
  }
  assert.deepEqual(withoutLines(await together(names)), withoutLines(await expected(t, 200)));
});

test('a log that is rotated daily has a file for each day of UTC', async (t) => {
  const log = await writing(t, 'daily');
  await log.write(0, 120);
  await log.close();
  assert.equal(log.names().length, 2);
  const yesterday = readFileSync(log.names().find((name) => name !== log.path) ?? '', 'utf8');
  assert.match(yesterday, /2026-11-20T23:59:59\.203Z 200 0\.012\n$/);
  assert.deepEqual(withoutLines(await together(log.names())), withoutLines(await expected(t, 120)));
});

test('no more of a log is kept than wanted, and files of other names stay', async (t) => {
  const log = await writing(t, { bytes: 1000 }, nodeFiles(), { bytes: 3500 });
  const others = ['', '.1', '-20261120', '-20261120T000000Z.bak', '-20261120T000000Z.txt'].map(
    (end) => `${log.path}x${end}`,
  );
  const old = [`${log.path}-20250101T000000Z`, `${log.path}-20250101T000000Z.2.gz`];
  for (const name of [...others, ...old]) writeFileSync(name, 'old');
  await log.write(0, 400);
  await log.close();
  const sizes = log
    .names()
    .filter((name) => !others.includes(name))
    .map((name) => readFileSync(name).length);
  assert.ok(sizes.length >= 3 && sizes.reduce((sum, size) => sum + size) <= 3500, sizes.join(' '));
  for (const name of others) assert.ok(log.names().includes(name), name);
  for (const name of old) assert.ok(!log.names().includes(name), name);
  const { log: seen, downtime } = await together(log.names().filter((name) => !others.includes(name)));
  assert.ok(seen.samples < 400 && seen.unknown === 0 && downtime.seconds > 0, 'what is left is read as it is');
  assert.deepEqual(log.said, []);
});

test('a rotated file is removed when it is too old, and one that cannot be is told', async (t) => {
  const log = await writing(t, { bytes: 1000 }, nodeFiles(), { seconds: 100 });
  await log.write(0, 400);
  await log.close();
  const first = await analyze(nodeFiles(), log.names().toSorted()[1] ?? '');
  assert.ok(log.names().length >= 3 && Date.parse(first.log.from) > start + 250_000, first.log.from);
  const refused = {
    ...nodeFiles(),
    remove: () => Promise.reject(new OperationError({ tried: 'Removing', on: 'it', reason: 'no' })),
  };
  const stuck = await writing(t, { bytes: 1000 }, refused, { bytes: 2000 });
  await stuck.write(0, 200);
  await stuck.close();
  assert.match(stuck.said[0] ?? '', /^Removing it: no\. The rotated files of .* stay\.$/);
});

/** What logrotate and people do to a file while it is written. */
const disturbances: Readonly<Record<string, (path: string, second: number) => void>> = {
  rename: (path, second) => renameSync(path, `${path}.${second}`),
  'rename and create': (path, second) => {
    renameSync(path, `${path}.${second}`);
    writeFileSync(path, '');
  },
  copytruncate: (path, second) => {
    copyFileSync(path, `${path}.${second}`);
    truncateSync(path);
  },
};

for (const [name, disturb] of Object.entries(disturbances))
  test(`no line is lost by ${name}, and none counts twice`, async (t) => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 1, max: 88 }), { minLength: 1, maxLength: 4 }),
        async (seconds) => {
          const log = await writing(t);
          await log.write(0, 90, (second) => {
            // Not again before the monitor has seen it.
            if (seconds.includes(second) && !seconds.includes(second - 1) && !seconds.includes(second - 2))
              disturb(log.path, second);
          });
          await log.close();
          assert.deepEqual(withoutLines(await together(log.names())), withoutLines(await expected(t, 90)));
        },
      ),
      { numRuns: 12 },
    );
  });

test('lines that were written between the copy and the truncation are written once more', async (t) => {
  const log = await writing(t);
  await log.write(0, 50);
  copyFileSync(log.path, `${log.path}.1`);
  await log.write(50, 51);
  truncateSync(log.path);
  await log.write(51, 90);
  await log.close();
  assert.match(readFileSync(log.path, 'utf8'), / again=yes\n/);
  assert.deepEqual(withoutLines(await together(log.names())), withoutLines(await expected(t, 90)));
});

test('a log that is deleted goes on in a new file with its header', async (t) => {
  const log = await writing(t);
  await log.write(0, 30);
  rmSync(log.path);
  await log.write(30, 60);
  await log.close();
  const analysis = await analyze(nodeFiles(), log.path);
  assert.equal(analysis.log.format, 'holdfast');
  assert.ok(analysis.log.samples >= 30, `${analysis.log.samples}`);
});

/** Files whose disk is full from one write to another; the first write of those tears the line. */
function fullDisk(from: number, to: number): Files {
  const files = nodeFiles();
  let writes = 0;
  const append: Files['append'] = async (path, options) => {
    const appender = await files.append(path, options);
    const write = async (text: string) => {
      writes += 1;
      if (writes < from || writes >= to) return appender.write(text);
      if (writes === from) await appender.write(text.slice(0, 20));
      throw new OperationError({ tried: 'Appending to', on: path, reason: 'no space left on the device (ENOSPC)' });
    };
    return { ...appender, write };
  };
  return { ...files, append };
}

test('while the disk is full the lines wait, and none is missing when there is space again', async (t) => {
  const log = await writing(t, undefined, fullDisk(40, 70));
  await log.write(0, 120);
  await log.close();
  assert.deepEqual(withoutLines(await together(log.names())), withoutLines(await expected(t, 120)));
  assert.equal(log.said.length, 2);
  assert.match(log.said[0] ?? '', /no space left on the device .*The lines wait/);
  assert.match(log.said[1] ?? '', /can be written again/);
});

test('lines of many targets that come together are written together, and none is lost or torn by a full disk', async (t) => {
  for (const files of [nodeFiles(), fullDisk(2, 3)]) {
    let writes = 0;
    const append: Files['append'] = async (path, options) => {
      const appender = await files.append(path, options);
      return {
        ...appender,
        write: (text) => {
          writes += 1;
          return appender.write(text);
        },
      };
    };
    const path = join(temporaryFolder(t), 'downtime.log');
    const clock = { wallAt: () => start };
    const log = await lastingFiles({ ...files, append }, clock, { say: () => {} }).append(path);
    const lines = Array.from({ length: 3000 }, (_, second) => line(second));
    for (const texts of [[header], lines.slice(0, 1000), lines.slice(1000, 1001), lines.slice(1001)]) {
      const written = texts.map((text) => log.write(text));
      await Promise.race(written);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await log.close();
    assert.equal(readFileSync(path, 'utf8'), header + lines.join(''));
    assert.ok(writes < 20, `${writes} writes`);
  }
});

test('a monitor whose disk stays full says so in the end', async (t) => {
  const log = await writing(t, undefined, fullDisk(40, Number.POSITIVE_INFINITY));
  await log.write(0, 60);
  await assert.rejects(log.close(), OperationError);
});

test('the settings stand in a log once an hour', async (t) => {
  const log = await writing(t);
  await log.write(0, 2 * 3600 + 60);
  await log.close();
  assert.equal(readFileSync(log.path, 'utf8').match(/^# holdfast downtime-log .*continues=yes$/gm)?.length, 2);
  assert.deepEqual(withoutLines(await together(log.names())), withoutLines(await expected(t, 2 * 3600 + 60)));
});

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { OperationError } from '../../src/host/errors.ts';
import { nodeFiles } from '../../src/host/files.ts';
import type { Appender, Files } from '../../src/host/host.ts';
import { type Fact, openJournal, readJournal } from '../../src/journal/journal.ts';

type Noted = Fact & { readonly type: 'noted'; readonly word: string };

async function inFolder(work: (path: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-journal-'));
  await work(join(folder, 'journal.jsonl')).finally(() => rm(folder, { recursive: true }));
}
const clock = { wallAt: () => Date.parse('2026-11-20T10:00:00.203Z') } as never;
const host = { files: nodeFiles(), clock };

/** What reached the file, in order, and when it was made durable. */
function recordingFiles(trouble?: (text: string) => Error | undefined): { files: Files; done: string[] } {
  const done: string[] = [];
  const appender: Appender = {
    async write(text) {
      const error = trouble?.(text);
      if (error !== undefined) throw error;
      done.push(`write ${text.trim().split('\n').length}`);
    },
    async sync() {
      done.push('sync');
    },
    async close() {
      done.push('close');
    },
  };
  return { files: { stat: async () => undefined, append: async () => appender } as unknown as Files, done };
}

test('each fact is a line with its time, in order', () =>
  inFolder(async (path) => {
    const journal = await openJournal<Noted>(host, path);
    journal.record({ type: 'noted', word: 'a' });
    await journal.intend({ type: 'noted', word: 'b' });
    await journal.close();
    assert.equal(
      await readFile(path, 'utf8'),
      '{"at":"2026-11-20T10:00:00.203Z","type":"noted","word":"a"}\n{"at":"2026-11-20T10:00:00.203Z","type":"noted","word":"b"}\n',
    );
  }));

test('an intent is durable before it returns; other facts are batched', async () => {
  const { files, done } = recordingFiles();
  const journal = await openJournal<Noted>({ files, clock }, 'journal.jsonl');
  await journal.intend({ type: 'noted', word: 'first' });
  assert.deepEqual(done, ['write 1', 'sync']);
  for (const word of ['a', 'b', 'c', 'd']) journal.record({ type: 'noted', word });
  await journal.flush();
  assert.deepEqual(done.slice(2), ['write 1', 'write 3']);
});

test('an intent is durable at whatever moment of another write it comes', async () => {
  for (let turns = 0; turns < 20; turns += 1) {
    const { files, done } = recordingFiles();
    const journal = await openJournal<Noted>({ files, clock }, 'journal.jsonl');
    journal.record({ type: 'noted', word: 'before' });
    for (let turn = 0; turn < turns; turn += 1) await undefined;
    await journal.intend({ type: 'noted', word: 'intent' });
    const facts = done.map((one) => (one === 'sync' ? 0 : Number(one.split(' ')[1])));
    assert.equal(
      facts.reduce((sum, count) => sum + count),
      2,
      `after ${turns} turns: ${done}`,
    );
    assert.equal(done.at(-1), 'sync');
  }
});

test('a disk that is full refuses the intent, and the facts before it are not lost silently', async () => {
  const { files } = recordingFiles(() =>
    Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' }),
  );
  const journal = await openJournal<Noted>({ files, clock }, 'journal.jsonl');
  journal.record({ type: 'noted', word: 'a' });
  await assert.rejects(journal.intend({ type: 'noted', word: 'b' }), (error) => {
    assert.ok(error instanceof OperationError);
    assert.match(error.message, /^Writing the journal journal\.jsonl: .*ENOSPC.*Free space there/);
    return true;
  });
});

test('a torn last line is counted and not trusted, and a later process writes behind it', () =>
  inFolder(async (path) => {
    await writeFile(
      path,
      '{"at":"2026-11-20T10:00:00.000Z","type":"noted","word":"whole"}\n{"at":"2026-11-20T10:00:01.000Z","type":"no',
    );
    const journal = await openJournal<Noted>(host, path);
    journal.record({ type: 'noted', word: 'after' });
    await journal.close();
    const read = await readJournal<Noted>(host.files, path);
    assert.deepEqual(
      read?.facts.map(({ word }) => word),
      ['whole', 'after'],
    );
    assert.equal(read?.torn, 1);
  }));

test('there is no journal where there is no file', () =>
  inFolder(async (path) => assert.equal(await readJournal(host.files, path), undefined)));

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { OperationError } from '../../src/host/errors.ts';
import { nodeFiles } from '../../src/host/files.ts';
import type { Appender, Files } from '../../src/host/host.ts';
import { type Fact, type LineDamaged, openJournal, readJournal } from '../../src/journal/journal.ts';

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

test('an intent is durable also if it comes during another write', async () => {
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

test('a full disk rejects the intent, and the loss of earlier facts is reported', async () => {
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

const lineOf = (word: string, second = 0): string =>
  JSON.stringify({ at: new Date(Date.UTC(2026, 10, 20, 10, 0, second)).toISOString(), type: 'noted', word });
const words = (facts: readonly (Noted | LineDamaged)[] = []) =>
  facts.map((fact) => (fact.type === 'noted' ? fact.word : `damaged after ${fact.at.slice(17, 19)}`));

test('a torn last line is ignored and is no damage; a later process appends its own line after it', () =>
  inFolder(async (path) => {
    await writeFile(path, `${lineOf('whole')}\n${lineOf('torn', 1).slice(0, -5)}`);
    assert.deepEqual(words((await readJournal<Noted>(host.files, path))?.lines), ['whole']);
    const journal = await openJournal<Noted>(host, path);
    journal.record({ type: 'noted', word: 'after' });
    await journal.close();
    const read = await readJournal<Noted>(host.files, path);
    assert.deepEqual(
      [words(read?.facts), words(read?.lines)],
      [
        ['whole', 'after'],
        ['whole', 'damaged after 00', 'after'],
      ],
    );
  }));

test('a last line that lacks only its line end is a fact, and CRLF is accepted', () =>
  inFolder(async (path) => {
    await writeFile(path, `${lineOf('a')}\r\n\r\n${lineOf('b', 1)}`);
    assert.deepEqual(words((await readJournal<Noted>(host.files, path))?.lines), ['a', 'b']);
  }));

test('a damaged line is reported at its place, and every other fact is read', () =>
  inFolder(async (path) => {
    const lines = ['a', 'b', 'c', 'd'].map((word, second) => lineOf(word, second));
    const garbled = fc.oneof(
      fc.constantFrom('x', '{}', '[]', 'null', '7', '"at"', '{"type":"noted"}', '{"at":"soon","type":"noted"}'),
      fc.nat({ max: 20 }).map((length) => lineOf('b', 1).slice(0, length + 1)),
      fc.nat({ max: 20 }).map((length) => lineOf('b', 1).slice(length + 1)),
    );
    await fc.assert(
      fc.asyncProperty(garbled, fc.integer({ min: 0, max: 3 }), async (bad, place) => {
        await writeFile(path, `${lines.with(place, bad).join('\n')}\n`);
        const read = await readJournal<Noted>(host.files, path);
        const before = place === 0 ? '00' : `0${place - 1}`;
        assert.deepEqual(words(read?.lines), ['a', 'b', 'c', 'd'].with(place, `damaged after ${before}`));
        assert.equal(read?.facts.length, 3);
      }),
      { numRuns: 40 },
    );
  }));

test('a missing file is undefined', () =>
  inFolder(async (path) => assert.equal(await readJournal(host.files, path), undefined)));

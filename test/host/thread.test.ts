import assert from 'node:assert/strict';
import { test } from 'node:test';
import { threads } from '../../src/host/thread.ts';

const module = (text: string) => `data:text/javascript,${encodeURIComponent(text)}`;

test('a thread answers questions one after the other, each with what the function that was made in it returns', async () => {
  const adding = module(`
    export const adder = async (sum) => async (more) => {
      const before = sum;
      await undefined;
      return (sum = before + more);
    };`);
  const thread = await threads.start<number, number>(adding, 'adder', 40);
  assert.deepEqual(await Promise.all([thread.ask(1), thread.ask(1), thread.ask(100)]), [41, 42, 142]);
  thread.end();
});

test('a thread that does not become ready, fails or is ended rejects what was asked of it', async () => {
  await assert.rejects(threads.start(module('throw new Error("no such thing")'), 'adder', 0), /no such thing/);
  const failing = module('export const made = () => () => { throw new Error("cannot answer"); };');
  const failed = await threads.start<number, number>(failing, 'made', 0);
  const asked = [failed.ask(1), failed.ask(2)];
  for (const answer of asked) await assert.rejects(answer, /cannot answer/);
  await assert.rejects(failed.ask(3), /cannot answer/);
  const silent = module('export const made = () => () => new Promise(() => setInterval(() => {}, 1000));');
  const ended = await threads.start<number, number>(silent, 'made', 0);
  const never = ended.ask(1);
  ended.end();
  await assert.rejects(never, /ended with 1 and no answer/);
});

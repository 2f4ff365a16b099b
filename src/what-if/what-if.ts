import type { Copy } from '../copy/copy.ts';
import { answerOf } from './answer.ts';
import type { Action, Answer } from './answer-shape.ts';
import { observe } from './observe.ts';

/** What the action does to the cluster of the copy: three runs of the embedded cluster, which begins as it was. */
export async function whatIf(copy: Copy, action: Action, seed: string): Promise<Answer> {
  const fastest = await observe(copy, action, { seed, pace: 'fastest' });
  const usual = await observe(copy, action, { seed, pace: 'usual' });
  const slowest = await observe(copy, action, { seed, pace: 'slowest' });
  return answerOf(copy, action, [fastest, usual, slowest]);
}

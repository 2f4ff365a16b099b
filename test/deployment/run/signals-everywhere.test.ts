import { test } from 'node:test';
import { buildOrdeal, type CrashKind, type CrashVariant } from '../support/crash.ts';

/** Every moment takes many minutes: the campaign does that. Here is a share, another one for each. */
const shares: readonly (readonly [CrashKind, CrashVariant, number])[] = [
  ['good', 'full', 40],
  ['broken', 'full', 60],
  ['rollback', 'full', 20],
  ['good', 'basic', 60],
  ['good', 'releases', 60],
  ['rollback', 'releases', 30],
  ['good', 'before', 70],
  ['broken', 'before', 70],
];

for (const [offset, [kind, variant, step]] of shares.entries()) {
  test(`${kind}, ${variant}: a signal at a share of its moments, put back or finished, and exit 128+n`, async (t) => {
    const { signalMoments, survivesSignal } = await buildOrdeal(t, kind, variant);
    const count = await signalMoments();
    t.diagnostic(`${count} moments`);
    for (let moment = offset * 2; moment < count; moment += step)
      await survivesSignal(moment, moment % 2 === 0 ? 'SIGTERM' : 'SIGINT');
  });
}

test('a lost connection (SIGHUP) at a share of the moments of a rollback stops nothing', async (t) => {
  const { signalMoments, survivesSignal } = await buildOrdeal(t, 'rollback', 'full');
  const count = await signalMoments();
  for (let moment = 3; moment < count; moment += 60) await survivesSignal(moment, 'SIGHUP');
});

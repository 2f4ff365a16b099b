import { test } from 'node:test';
import { buildOrdeal, type CrashKind, type CrashVariant } from '../support/crash.ts';

/** Every moment takes many minutes: the campaign does that. Here is a share, another one for each. */
const shares: readonly (readonly [CrashKind, CrashVariant, number])[] = [
  ['good', 'full', 120],
  ['broken', 'full', 190],
  ['rollback', 'full', 60],
  ['good', 'basic', 190],
  ['good', 'releases', 190],
  ['rollback', 'releases', 90],
  ['good', 'before', 220],
  ['broken', 'before', 220],
];

for (const [offset, [kind, variant, step]] of shares.entries()) {
  test(`${kind}, ${variant}: a signal at a share of its moments, put back or finished, and exit 128+n`, async (t) => {
    const { signalMoments, survivesSignal } = await buildOrdeal(t, kind, variant);
    const count = await signalMoments();
    t.diagnostic(`${count} moments`);
    for (let moment = offset * 7; moment < count; moment += step)
      await survivesSignal(moment, moment % 2 === 0 ? 'SIGTERM' : 'SIGINT');
  });
}

test('a lost connection (SIGHUP) at a share of the moments of a rollback stops nothing', async (t) => {
  const { signalMoments, survivesSignal } = await buildOrdeal(t, 'rollback', 'full');
  const count = await signalMoments();
  for (let moment = 3; moment < count; moment += 120) await survivesSignal(moment, 'SIGHUP');
});

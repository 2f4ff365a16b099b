import type { OpenRun } from './order.ts';

const lookSeconds = 1;

/** Records when this machine's clock is set, which the run's clock does not follow. Call `stop` at the end. */
export function watchClock({ site, journal, interruption }: Pick<OpenRun, 'site' | 'journal' | 'interruption'>): {
  readonly stop: () => void;
} {
  const { clock } = site.host;
  let known = clock.setSeconds?.() ?? 0;
  const look = () => {
    const set = clock.setSeconds?.() ?? 0;
    if (set === known) return;
    journal.record({ type: 'clock-set', seconds: Math.round((set - known) * 1000) / 1000 });
    known = set;
  };
  const stopping = new AbortController();
  const watching = async () => {
    while (!stopping.signal.aborted) {
      look();
      await clock.sleep(lookSeconds, stopping.signal).catch(() => undefined);
    }
  };
  if (clock.setSeconds !== undefined) watching().catch(interruption.fail);
  return {
    stop: () => {
      look();
      stopping.abort();
    },
  };
}

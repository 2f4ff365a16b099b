import { ApiError } from '../../cluster/cluster.ts';
import type { Site } from '../setup/site.ts';

/** A window in which triggers are gathered. */
interface Window {
  readonly triggers: Set<string>;
  /** Epoch milliseconds. */
  readonly openedAt: number;
  dueAt: number;
}

/** A window closes so long after it was opened, whatever comes (BATCH_MAX_DURATION). */
const longestSeconds = 10;
/** How soon a batch is tried again that failed, or whose process is down. */
const retrySeconds = 5;

/** Does the work once nothing new has triggered it for a while; each trigger prolongs a window once (provisioning/batcher.go). */
export function batcher(
  site: Site,
  signal: AbortSignal,
  work: () => Promise<void>,
): { readonly trigger: (what: string) => void } {
  let window: Window | undefined;
  let tail: Promise<void> = Promise.resolve();
  const close = async (): Promise<void> => {
    if (signal.aborted) return;
    if (!site.running()) return site.after(retrySeconds, () => trigger('again'));
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ApiError)) return site.failed(error);
      site.after(retrySeconds, () => trigger('again'));
    }
  };
  const trigger = (what: string): void => {
    window ??= { triggers: new Set(), openedAt: site.now(), dueAt: 0 };
    if (window.triggers.has(what)) return;
    window.triggers.add(what);
    const dueAt = Math.min(site.now() + 1000 * site.delay('autoscalerBatch'), window.openedAt + 1000 * longestSeconds);
    window.dueAt = dueAt;
    site.after((dueAt - site.now()) / 1000, () => {
      if (window?.dueAt !== dueAt) return;
      window = undefined;
      tail = tail.then(close);
    });
  };
  return { trigger };
}

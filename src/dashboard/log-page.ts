import type { Host } from '../host/host.ts';
import type { Page } from '../host/serve.ts';
import type { TargetStatus } from '../report/daily.ts';
import { styleHash } from '../report/html/style.ts';
import { statusPage } from '../report/status-page.ts';

export interface ShownLog {
  readonly path: string;
  /** Reads the whole log, with its rotated files. */
  readonly read: () => Promise<readonly TargetStatus[]>;
}

/** The page's own style and nothing else is let in. */
const policy = `default-src 'none'; style-src '${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** How often a browser loads the page of a log again. */
const refreshSeconds = 5;
/** So many times as long as reading took, the log is not read again: one of years takes seconds. */
const restFactor = 20;

/** The status page of a log as it is now. What was read serves all browsers until it is old. */
export function logPage({ clock }: Pick<Host, 'clock'>, { read }: ShownLog): () => Promise<Page> {
  let last: { readonly targets: Promise<readonly TargetStatus[]>; readonly staleAt: number } | undefined;
  const readAgain = async (): Promise<readonly TargetStatus[]> => {
    const begun = clock.monotonicSeconds();
    const targets = read();
    last = { targets, staleAt: Number.POSITIVE_INFINITY };
    const isRead = await targets.then(
      () => true,
      () => false,
    );
    const now = clock.monotonicSeconds();
    last = isRead ? { targets, staleAt: now + restFactor * (now - begun) } : undefined;
    return targets;
  };
  const current = () => (last !== undefined && clock.monotonicSeconds() < last.staleAt ? last.targets : readAgain());
  return async () => ({
    type: 'text/html; charset=utf-8',
    headers: { 'content-security-policy': policy },
    body: statusPage({ targets: await current(), madeAt: clock.wallAt(), refreshSeconds }),
  });
}

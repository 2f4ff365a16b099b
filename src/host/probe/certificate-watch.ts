import type { Sample } from '../host.ts';

/**
 * Time to renew it by hand: ACME clients renew 30 days before the end (certbot, renew_before_expiry), so that one of 14
 * days was not renewed.
 */
export const shortSeconds = 14 * 24 * 3600;
const againSeconds = 24 * 3600;

/** Whether the certificate of a sample ends soon and that was not said for a day; each target by itself. */
export function certificateWatch(): (target: string, sample: Pick<Sample, 'at' | 'certificateEndsAt'>) => boolean {
  const saidAt = new Map<string, number>();
  return (target, { at, certificateEndsAt }) => {
    if (certificateEndsAt === undefined || !endsSoon(certificateEndsAt, at)) return false;
    if (at - (saidAt.get(target) ?? Number.NEGATIVE_INFINITY) < againSeconds * 1000) return false;
    saidAt.set(target, at);
    return true;
  };
}

export const endsSoon = (endsAt: number, at: number): boolean => endsAt - at < shortSeconds * 1000;

/** `ends 2026-12-01, in 5 days`. */
export function endText(endsAt: number, at: number): string {
  const day = new Date(endsAt).toISOString().slice(0, 10);
  const days = Math.floor((endsAt - at) / (24 * 3600 * 1000));
  if (days < 0) return `ended ${day}`;
  return `ends ${day}, ${days === 0 ? 'within a day' : `in ${days} day${days === 1 ? '' : 's'}`}`;
}

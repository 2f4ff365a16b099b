import type { Connection, EmbeddedCluster, Exchange } from '@holdfast/embedded-cluster';
import type { Clock, Probe, Sample, Target } from '../host/host.ts';
import { visibleText } from '../host/probe/visible-text.ts';

/** `host.probe` of the rehearsal: fulfils the contract of the real host's, over the embedded cluster's request path. */
export function createProbe(clock: Pick<Clock, 'wallAt'>, visitor: Pick<EmbeddedCluster, 'get'>): Probe {
  const keptByUrl = new Map<string, Connection>();
  return async (target, connection, timeoutSeconds) => {
    const at = clock.wallAt();
    const kept = connection === 'reused' ? keptByUrl.get(target.url) : undefined;
    if (kept !== undefined) keptByUrl.delete(target.url);
    const exchange = await visitor.get(new URL(target.url), { timeoutSeconds, kept });
    if (connection === 'reused' && exchange.connection !== undefined) keptByUrl.set(target.url, exchange.connection);
    return { ...sampleOf(exchange, target), at, connection };
  };
}

function sampleOf({ response, error, seconds, phases }: Exchange, target: Target): Omit<Sample, 'at' | 'connection'> {
  if (response === undefined) return { status: 0, seconds, phases, error: error ?? 'reset' };
  const matched =
    target.body === undefined ? {} : { bodyMatched: textOf(response.body).startsWith(textOf(target.body)) };
  return { status: response.status, seconds, phases, ...matched };
}

const texts = new Map<string, string>();

/** Kept for each page: there are few, and each is read thousands of times. */
function textOf(page: string): string {
  const text = texts.get(page) ?? visibleText(page);
  texts.set(page, text);
  return text;
}

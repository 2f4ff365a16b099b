import * as z from 'zod';
import { OperationError } from '../../host/errors.ts';
import type { Host } from '../../host/host.ts';
import { withCredentials } from '../../host/probe/basic-credentials.ts';
import { reportMetrics } from '../../report/metrics.ts';
import type { ReadRun } from '../../validation/judge/read-run.ts';
import { runStarted } from '../../validation/record/records.ts';
import { sayMistakes } from '../command/say.ts';

/** `--metrics`: a file for the textfile collector of node_exporter, or the address of a Pushgateway. */
export const metricsFlag = z
  .string()
  .min(1)
  .refine((to) => isAddress(to) || to.endsWith('.prom'), {
    error: ({ input }) =>
      `is '${input}', which is neither a file that ends with .prom, as node_exporter reads it, nor the address of a Pushgateway`,
  });

const isAddress = (to: string): boolean => /^https?:\/\//.test(to) && URL.canParse(to);

const pushSeconds = 10;

/** Writes or sends the outcome of a run. If it cannot, that is reported, and the exit code stays that of the run. */
export async function sendMetrics(
  host: Pick<Host, 'files' | 'http' | 'talk'>,
  to: string | undefined,
  run: ReadRun,
): Promise<void> {
  if (to === undefined) return;
  try {
    if (isAddress(to)) await push(host, to, run);
    else await host.files.replace(to, reportMetrics(run), { mode: 0o644 });
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    sayMistakes(host.talk, [`${error.message}. The outcome of the run is not in Prometheus.`]);
  }
}

/** PUT replaces what the last validation of this application left, and nothing of others. */
async function push({ http }: Pick<Host, 'http'>, to: string, run: ReadRun): Promise<void> {
  const { url, headers: credentials } = withCredentials(pushAddress(to, run));
  const headers = { 'content-type': 'text/plain; version=0.0.4', ...credentials };
  const body = reportMetrics(run);
  const response = await http({ method: 'PUT', url, headers, body, timeoutSeconds: pushSeconds });
  const said = await response.text();
  if (response.status < 300) return;
  const reason = `${response.status} ${said.slice(0, 200).trim()}`.trim();
  throw new OperationError({ tried: 'Sending the outcome to', on: url, reason });
}

/** The group of the application, as the Pushgateway writes it. */
function pushAddress(to: string, run: ReadRun): string {
  const { namespace = '', application = '' } = runStarted(run.facts)?.settings ?? {};
  const url = new URL(to);
  const group = { job: 'holdfast', namespace, application };
  const path = Object.entries(group).flatMap(([key, value]) => [key, encodeURIComponent(value)]);
  url.pathname = [url.pathname.replace(/\/$/, ''), 'metrics', ...path].join('/');
  return url.href;
}

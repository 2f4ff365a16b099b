import * as z from 'zod';
import type { Target } from '../../host/host.ts';
import { httpUrl } from '../../settings/http-url.ts';
import { probeDuration } from '../../settings/probe-duration.ts';
import { duration } from '../../settings/read-settings.ts';
import type { MonitorSettings } from '../../validation/monitor/monitor.ts';
import type { RawArguments } from '../command/command.ts';
import { readFlags } from '../command/read-flags.ts';
import { expectedStatus } from './expected-status.ts';

export interface MonitorFlags {
  readonly settings: MonitorSettings;
  readonly log: string;
  /** Absent: until it is stopped. */
  readonly durationSeconds?: number | undefined;
  /** Where to serve metrics for Prometheus. */
  readonly metrics?: { readonly host: string; readonly port: number } | undefined;
}

const target = httpUrl.transform((text): Target => ({ url: new URL(text).href }));
/** `:9100` is that port of loopback, so that nobody else reads the metrics by default. */
const address = z.string().transform((text, context) => {
  const [, host, port] = /^(.*):(\d{1,5})$/.exec(text) ?? [];
  if (host !== undefined && Number(port) < 0x10000) return { host: host || '127.0.0.1', port: Number(port) };
  context.issues.push({
    code: 'custom',
    message: `is '${text}', which is not an address such as :9100 or 10.0.0.5:9100`,
    input: text,
  });
  return z.NEVER;
});
const schema = z.strictObject({
  url: target,
  target: z.array(target).default([]),
  log: z.string().default('downtime.log'),
  interval: probeDuration.prefault('1s'),
  timeout: probeDuration.prefault('10s'),
  slow: probeDuration.prefault('1s'),
  expect: expectedStatus.prefault('200'),
  duration: duration.optional(),
  metrics: address.optional(),
});

/** The command's flags; everything wrong with them is one `UsageError`. */
export function monitorFlags({ options, operands }: RawArguments): MonitorFlags {
  const { url, target: more, log, ...given } = readFlags(schema, { ...options, url: operands[0] }, ['url']);
  return {
    settings: {
      targets: [url, ...more],
      intervalSeconds: given.interval,
      timeoutSeconds: given.timeout,
      slowSeconds: given.slow,
      expect: given.expect,
      reused: true,
    },
    log,
    durationSeconds: given.duration,
    metrics: given.metrics,
  };
}

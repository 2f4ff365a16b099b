import type { TestContext } from 'node:test';
import type { Host } from '../../../src/host/host.ts';
import { memoryFiles } from '../../../src/host/memory-files.ts';
import { metrics } from '../../../src/validation/monitor/metrics.ts';
import { startMonitor } from '../../../src/validation/monitor/monitor.ts';
import type { MonitorSettings } from '../../../src/validation/monitor/monitor-settings.ts';
import { type Script, type ScriptedHost, scriptedHost, TEN } from '../../support/scripted-host.ts';

export const scrapeSeconds = 15;

/** The course of a monitor, in seconds from its start. */
export interface Course {
  readonly seconds: number;
  /** The answer of its only target to a request that starts then. */
  readonly answer: (second: number) => ReturnType<Script>;
  /** When its process does not run, and for how long. */
  readonly stops?: readonly (readonly [at: number, seconds: number])[];
  /** From then on nothing answers a scrape. */
  readonly goneAt?: number;
}

/** Nobody reads the log here. */
const unwritten: Host['files'] = {
  ...memoryFiles(),
  append: async () => ({ write: async () => {}, sync: async () => {}, close: async () => {} }),
};

const settings: MonitorSettings = {
  targets: [{ url: 'http://a/' }],
  intervalSeconds: 1,
  timeoutSeconds: 10,
  slowSeconds: 1,
  expect: 200,
  reused: false,
};

/** What a monitor that ran in virtual time served at each scrape; undefined where nothing answered. */
export async function scraped(t: TestContext, course: Course): Promise<readonly (string | undefined)[]> {
  const { seconds, answer, goneAt = Number.POSITIVE_INFINITY } = course;
  const host = stopping(
    scriptedHost(t, (at) => answer((at - TEN) / 1000)),
    course.stops ?? [],
  );
  const counted = metrics();
  const scrapes: (string | undefined)[] = [];
  await host.clock.run(async () => {
    const monitor = await startMonitor(
      { ...(host as unknown as Host), files: unwritten },
      settings,
      'downtime.log',
      counted.take,
    );
    for (let second = 0; second < seconds; second += scrapeSeconds) {
      scrapes.push(second < goneAt ? counted.text() : undefined);
      await host.clock.sleep(TEN / 1000 + second + scrapeSeconds - host.clock.wallAt() / 1000);
    }
    await monitor.stop();
  });
  return scrapes;
}

/**
 * The series that Prometheus has of these scrapes, with the labels that it adds: a value for each as promtool writes
 * it, `_` where a series was not there.
 */
export function seriesOf(
  scrapes: readonly (string | undefined)[],
  labels: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const all = scrapes.map((text) => (text === undefined ? new Map([upOf(labels, 0)]) : scrape(text, labels)));
  const names = new Set(all.flatMap((one) => [...one.keys()]));
  return Object.fromEntries([...names].map((name) => [name, all.map((one) => one.get(name) ?? '_').join(' ')]));
}

/** A sleep that ends while the process does not run ends when it runs again. */
function stopping(host: ScriptedHost, stops: NonNullable<Course['stops']>): ScriptedHost {
  const { clock } = host;
  const sleep: typeof clock.sleep = async (seconds, signal) => {
    await clock.sleep(seconds, signal);
    const now = (clock.wallAt() - TEN) / 1000;
    const stop = stops.find(([at, lasts]) => now >= at && now < at + lasts);
    if (stop !== undefined) await clock.sleep(stop[0] + stop[1] - now);
  };
  const probe: ScriptedHost['probe'] = async (target, connection, timeoutSeconds) => {
    const before = clock.monotonicSeconds();
    const sample = await host.probe(target, connection, timeoutSeconds);
    await sleep(0);
    return { ...sample, seconds: clock.monotonicSeconds() - before };
  };
  return { ...host, probe, clock: { ...clock, sleep } };
}

const upOf = (labels: Readonly<Record<string, string>>, up: number) =>
  [`up{${labelsText(labels)}}`, String(up)] as const;

const labelsText = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${value}"`)
    .join(',');

function scrape(text: string, labels: Readonly<Record<string, string>>): Map<string, string> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const series = lines.map((line): [string, string] => {
    const end = line.lastIndexOf(' ');
    return [`${line.slice(0, end - 1)},${labelsText(labels)}}`, line.slice(end + 1)];
  });
  return new Map([...series, upOf(labels, 1)]);
}

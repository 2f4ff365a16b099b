import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { needs } from '../support/needs.ts';
import type { Script } from '../support/scripted-host.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Course, scraped, scrapeSeconds, seriesOf } from './support/scraped.ts';

const rules = join(import.meta.dirname, '../../packaging/prometheus/holdfast-alerts.yml');
const day = 24 * 3600;

type Answer = ReturnType<Script>;
const good: Answer = { status: 200, seconds: 0.012 };
const refused: Answer = { status: 0, seconds: 0.001, error: 'refused' };
const between = (from: number, to: number, bad: Answer) => (second: number) =>
  second >= from && second < to ? bad : good;
const always = (answer: Answer) => () => answer;
/** Of a hundred requests so many fail, spread evenly. */
const share = (percent: number) => (second: number) =>
  Math.floor(((second + 1) * percent) / 100) > Math.floor((second * percent) / 100) ? { ...good, status: 503 } : good;

/** What happens, and the alerts that fire meanwhile; no other may. */
const situations: Readonly<Record<string, Course & { readonly fires: readonly string[] }>> = {
  'nothing is wrong': { seconds: 900, answer: always(good), fires: [] },
  'a second of 503': { seconds: 1200, answer: between(600, 601, { ...good, status: 503 }), fires: ['HoldfastOutage'] },
  'all requests fail for 3 min': {
    seconds: 1500,
    answer: between(600, 780, refused),
    fires: ['HoldfastDown', 'HoldfastOutage'],
  },
  'all requests fail for 10 min': {
    seconds: 2100,
    answer: between(600, 1200, refused),
    fires: ['HoldfastDown', 'HoldfastOutage'],
  },
  'all requests fail, twice a minute long': {
    seconds: 1800,
    answer: (second) => (second % 600 >= 400 && second % 600 < 460 ? refused : good),
    fires: ['HoldfastDown', 'HoldfastOutage'],
  },
  'nothing answers from the start': {
    seconds: 900,
    answer: always(refused),
    fires: ['HoldfastDown', 'HoldfastOutage'],
  },
  'each request hangs until its timeout': {
    seconds: 1500,
    answer: between(600, 1800, { status: 0, seconds: 10, error: 'timeout' }),
    fires: ['HoldfastDown', 'HoldfastOutage', 'HoldfastSlow'],
  },
  'a tenth of the requests fails': {
    seconds: 1200,
    answer: share(10),
    fires: ['HoldfastOutage', 'HoldfastPartlyDown'],
  },
  'half of the requests fail': { seconds: 900, answer: share(50), fires: ['HoldfastOutage', 'HoldfastPartlyDown'] },
  'answers take 0.8 s': { seconds: 1500, answer: always({ status: 200, seconds: 0.8 }), fires: ['HoldfastSlow'] },
  'answers take 1.4 s': {
    seconds: 1500,
    answer: always({ status: 200, seconds: 1.4 }),
    fires: ['HoldfastDown', 'HoldfastOutage', 'HoldfastSlow'],
  },
  'the monitor does not run for 3 s': { seconds: 900, answer: always(good), stops: [[600.2, 3]], fires: [] },
  'the monitor does not run for 3 s, in the middle of slow answers': {
    seconds: 900,
    answer: always({ status: 200, seconds: 0.45 }),
    stops: [600.2, 611.4, 622.6, 633.8].map((at) => [at, 3] as const),
    fires: [],
  },
  'the monitor does not run for 10 min': {
    seconds: 1200,
    answer: always(good),
    stops: [[600, 600]],
    goneAt: 600,
    fires: ['HoldfastSilent'],
  },
  'the monitor is gone': { seconds: 900, answer: always(good), goneAt: 450, fires: ['HoldfastSilent'] },
  'the certificate ends in ten days': {
    seconds: 3900,
    answer: always({ ...good, certificateEndsAt: 10 * day * 1000 }),
    fires: ['HoldfastCertificateEnds'],
  },
};

/**
 * Of a ServiceMonitor and of the chart's and the base's Service, of a unit of systemd, and of whoever names it himself.
 */
const jobs = ['holdfast-monitor', 'shop-monitor', 'holdfast', 'monitoring/probes'];

interface PromtoolTest {
  readonly name: string;
  readonly series: Readonly<Record<string, string>>;
  readonly seconds: number;
  readonly fires: readonly string[];
}

function promtoolTest({ name, series, seconds, fires }: PromtoolTest) {
  return {
    name,
    interval: `${scrapeSeconds}s`,
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      {
        expr: `count by (alertname) (count_over_time(ALERTS{alertstate="firing"}[${seconds}s]))`,
        eval_time: `${seconds}s`,
        exp_samples: fires.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
      },
    ],
  };
}

test('each alert fires in the situations that it is for, whatever the job is called, and in no other', async (t) => {
  if (!needs(t, 'promtool')) return;
  const tests: PromtoolTest[] = [];
  for (const [name, { fires, ...course }] of Object.entries(situations)) {
    const scrapes = await scraped(t, course);
    for (const job of course.goneAt === undefined ? jobs.slice(0, 1) : jobs) {
      const series = seriesOf(scrapes, { job, instance: '10.0.0.1:9490' });
      tests.push({ name: `${name}, job ${job}`, series, seconds: course.seconds, fires });
    }
  }
  const folder = temporaryFolder(t);
  copyFileSync(rules, join(folder, 'rules.yml'));
  const document = {
    rule_files: ['rules.yml'],
    evaluation_interval: `${scrapeSeconds}s`,
    tests: tests.map(promtoolTest),
  };
  writeFileSync(join(folder, 'situations.yml'), JSON.stringify(document));
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'situations.yml'], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stdout + stderr);
});

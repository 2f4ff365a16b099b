import { applicationName } from '../validation/applications.ts';
import { exitCodeOf } from '../validation/judge/exit-code.ts';
import type { ReadRun } from '../validation/judge/read-run.ts';
import type { RunResult, Verdict } from '../validation/judge/run-result.ts';
import { runStarted } from '../validation/record/records.ts';

/** One sample: its labels, beside those of every sample, and its value. */
interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}
interface Family {
  readonly name: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

/**
 * The outcome of a validation for Prometheus, in the text exposition format, version 0.0.4: for the textfile collector
 * of node_exporter, or for a Pushgateway. What was not tested has no sample, so that it is never taken for 0.
 */
export function reportMetrics(run: ReadRun): string {
  const { namespace = '', application = '' } = runStarted(run.facts)?.settings ?? {};
  const families = [...ofRun(run), ...ofScenarios(run.result)].filter(({ samples }) => samples.length > 0);
  return families.map((family) => textOf(family, { namespace, application })).join('');
}

const verdicts: readonly Verdict[] = ['pass', 'fail', 'inconclusive', 'error'];

const severalOf = ({ applications = [] }: RunResult) => (applications.length < 2 ? [] : applications);

/** A validation's own name among those of the monitor. */
const prefix = 'holdfast_validation_';

function ofRun({ facts, result }: ReadRun): readonly Family[] {
  const { run, verdict, criteria, undo } = result;
  const applications = severalOf(result);
  const [startedAt, finishedAt] = [run.startedAt, run.finishedAt ?? run.startedAt].map((at) => Date.parse(at) / 1000);
  return [
    gauge('finished_timestamp_seconds', 'When the last validation ended, Unix time.', finishedAt ?? 0),
    gauge('duration_seconds', 'How long it took.', Math.round((finishedAt ?? 0) - (startedAt ?? 0))),
    gauge('exit_code', 'Its exit code: 0 is a pass.', exitCodeOf(facts, result)),
    {
      name: 'verdict',
      help: 'Its verdict: the one that is 1.',
      samples: states('verdict', verdicts, verdict),
    },
    {
      name: 'application_verdict',
      help: 'Of a validation of several applications the verdict of each: the one that is 1.',
      samples: applications.flatMap((one) =>
        states('verdict', verdicts, one.verdict, { validated: applicationName(one, applications) }),
      ),
    },
    gauge('partial', 'Whether scenarios were left out on purpose.', Number(result.partial)),
    {
      name: 'criterion_outcome',
      help: 'The outcome of each acceptance criterion: the one that is 1.',
      samples: criteria.flatMap(({ number, outcome }) =>
        states('outcome', ['met', 'not-met', 'inconclusive', 'not-tested'], outcome, { criterion: String(number) }),
      ),
    },
    gauge(
      'not_undone',
      'Changes of the cluster that could not be undone.',
      undo.filter(({ state }) => state === 'failed').length,
    ),
  ];
}

type Scenario = RunResult['scenarios'][number];

function ofScenarios({ scenarios }: RunResult): readonly Family[] {
  const tested = scenarios.filter(({ verdict }) => verdict !== 'not-tested');
  return [
    {
      name: 'scenario_verdict',
      help: 'The verdict of each scenario that was tested: the one that is 1.',
      samples: tested.flatMap(({ name, verdict }) =>
        states('verdict', ['pass', 'fail', 'inconclusive'], verdict, { scenario: name }),
      ),
    },
    ...measured.map(([name, help, of]) => ({
      name,
      help,
      samples: tested.flatMap((one) => {
        const value = of(one);
        return value === null ? [] : [{ labels: { scenario: one.name }, value }];
      }),
    })),
  ];
}

const measured: readonly (readonly [string, string, (one: Scenario) => number | null])[] = [
  [
    'downtime_span_seconds',
    'The downtime of each scenario: from its first failure to the end of its last.',
    ({ downtime }) => downtime?.span.seconds ?? null,
  ],
  ['downtime_span_upper_seconds', 'What that cannot exceed.', ({ downtime }) => downtime?.span.upperSeconds ?? null],
  [
    'downtime_share',
    'Of the requests meanwhile the part that failed, from 0 to 1.',
    ({ downtime }) => downtime && (downtime.share?.part ?? (downtime.span.upperSeconds === 0 ? 0 : 1)),
  ],
  [
    'downtime_seconds',
    'The time in which requests failed one after the other, in sum.',
    ({ downtime }) => downtime?.seconds ?? null,
  ],
  [
    'downtime_slow_seconds',
    'The part of that in which answers were only slow.',
    ({ downtime }) => downtime?.slowSeconds ?? null,
  ],
  ['downtime_upper_seconds', 'What that cannot exceed.', ({ downtime }) => downtime?.upperSeconds ?? null],
  [
    'node_replacement_seconds',
    'From the loss of a node to its ready replacement.',
    (one) => one.nodeReplacementSeconds,
  ],
  ['pod_ready_seconds', 'Until the pods of the application were ready again.', (one) => one.podReadySeconds],
];

const gauge = (name: string, help: string, value: number): Family => ({ name, help, samples: [{ value }] });

/** A sample for each state, so that a query finds the last one gone. */
const states = (label: string, all: readonly string[], now: string, labels = {}): readonly Sample[] =>
  all.map((state) => ({ labels: { ...labels, [label]: state }, value: Number(state === now) }));

function textOf({ name, help, samples }: Family, common: Readonly<Record<string, string>>): string {
  const lines = samples.map(({ labels, value }) => `${prefix}${name}{${labelText({ ...common, ...labels })}} ${value}`);
  return [`# HELP ${prefix}${name} ${help}`, `# TYPE ${prefix}${name} gauge`, ...lines, ''].join('\n');
}

const labelText = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`)
    .join(',');

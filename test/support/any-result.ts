import fc from 'fast-check';
import type { Outage } from '../../src/validation/downtime/downtime.ts';
import type { Finding } from '../../src/validation/finding.ts';
import { resultTable } from '../../src/validation/judge/result-table.ts';
import type { Criterion, RunResult, ScenarioResult } from '../../src/validation/judge/run-result.ts';
import { scenarios } from '../../src/validation/scenarios/index.ts';
import { type WindowDowntime, withSpan } from '../../src/validation/window-downtime.ts';
import { episodesOf } from './results.ts';
import { richResult } from './rich-run.ts';

/** Text that could be in a name or a message: markup, control characters, halves of surrogate pairs. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.array(fc.nat(0xffff), { maxLength: 12 }).map((units) => String.fromCharCode(...units)),
  fc.constantFrom(
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    '</style><style>*{display:none}',
    ']]></system-out><failure/>',
    '<!-- -->',
    '&lt;&amp;&#x0;',
    '\u001b[2J\u001b]0;title\u0007',
    '\u202Egnp.exe',
    '| a | b |\n|---|---|',
    '[click](javascript:alert(1)) ![x](http://example.com/x.png) `code` **bold**',
    '# heading\n\n- item',
    'https://example.com/?a=1&b=2',
  ),
);

const instant: fc.Arbitrary<string> = fc
  .integer({ min: Date.UTC(2026, 10, 20), max: Date.UTC(2026, 10, 22) })
  .map((at) => new Date(at).toISOString());
const seconds: fc.Arbitrary<number> = fc
  .integer({ min: 0, max: 90_000_000 })
  .map((milliseconds) => milliseconds / 1000);
const orNull = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null });

const finding: fc.Arbitrary<Finding> = fc.record({
  id: fc.constantFrom('no-downtime', 'background-outage', 'failed'),
  severity: fc.constantFrom('info', 'warning', 'error'),
  subject: hostileText,
  expected: hostileText,
  observed: hostileText,
  advice: hostileText,
});
const bounded = fc.record({ seconds, lowerSeconds: seconds, upperSeconds: seconds });
const findings = fc.array(finding, { maxLength: 3 });

const sums = fc.record({
  seconds,
  lowerSeconds: seconds,
  upperSeconds: seconds,
  slowSeconds: seconds,
  samples: fc.integer({ min: 1, max: 90_000 }),
  bad: fc.nat(90_000),
  unknown: fc.nat(90_000),
  unknownSeconds: seconds,
});
const downtime: fc.Arbitrary<WindowDowntime> = sums.map(withSpan);

const outage: fc.Arbitrary<Outage & { readonly scenario: string | null }> = fc.record(
  {
    from: instant,
    to: instant,
    seconds,
    lowerSeconds: seconds,
    upperSeconds: seconds,
    samples: fc.integer({ min: 1, max: 90_000 }),
    kinds: fc.uniqueArray(fc.constantFrom('503', '000', 'slow', 'timeout', 'dns', 'body'), { minLength: 1 }),
    openAtStart: fc.constant(true),
    openAtEnd: fc.constant(true),
    scenario: orNull(fc.constantFrom(...scenarios.map(({ name }) => name))),
  },
  { requiredKeys: ['from', 'to', 'seconds', 'lowerSeconds', 'upperSeconds', 'samples', 'kinds', 'scenario'] },
);

function scenario({ name, title, expected }: (typeof scenarios)[number]): fc.Arbitrary<ScenarioResult> {
  const row = { name: fc.constant(name), title: fc.constant(title), expected: fc.constant(expected) };
  const nothing = fc.constant(null);
  const untested = fc.record({
    ...row,
    verdict: fc.constant('not-tested' as const),
    window: nothing,
    downtime: nothing,
    nodeReplacementSeconds: nothing,
    nodeReadySeconds: nothing,
    podReadySeconds: nothing,
    nodeReplacement: nothing,
    nodeReady: nothing,
    podReady: nothing,
    nodesReplaced: nothing,
    maxConcurrentDisruptions: nothing,
    predicted: orNull(hostileText),
    findings: fc.constant([]),
  });
  const tested = fc.record({
    ...row,
    verdict: fc.constantFrom('pass' as const, 'fail' as const, 'inconclusive' as const),
    window: orNull(fc.record({ from: instant, to: instant })),
    downtime: orNull(downtime),
    nodeReplacementSeconds: orNull(seconds),
    nodeReadySeconds: orNull(seconds),
    podReadySeconds: orNull(seconds),
    nodeReplacement: orNull(bounded),
    nodeReady: orNull(bounded),
    podReady: orNull(bounded),
    nodesReplaced: orNull(fc.nat(20)),
    maxConcurrentDisruptions: orNull(fc.nat(20)),
    predicted: orNull(hostileText),
    findings,
  });
  return fc.oneof(untested, tested);
}

const criteria: fc.Arbitrary<readonly Criterion[]> = fc.tuple(
  ...richResult.criteria.map(({ number, text }) =>
    fc.record({
      number: fc.constant(number),
      text: fc.constant(text),
      outcome: fc.constantFrom('met' as const, 'not-met' as const, 'inconclusive' as const, 'not-tested' as const),
      because: hostileText,
    }),
  ),
);

/** A random document in the shape of `report.json`; its parts need not agree. */
export const anyResult: fc.Arbitrary<RunResult> = fc
  .record({
    schemaVersion: fc.constant(1 as const),
    tool: fc.record({ name: fc.constant('holdfast' as const), version: hostileText }),
    run: fc.record(
      {
        id: hostileText.map((text) => `run-${text}`),
        kind: fc.constantFrom('rehearsal' as const, 'cluster' as const),
        seed: fc.nat(),
        cluster: hostileText,
        startedAt: instant,
        finishedAt: orNull(instant),
      },
      { requiredKeys: ['id', 'kind', 'cluster', 'startedAt', 'finishedAt'] },
    ),
    verdict: fc.constantFrom('pass' as const, 'fail' as const, 'inconclusive' as const, 'error' as const),
    partial: fc.boolean(),
    criteria,
    scenarios: fc.tuple(...scenarios.map(scenario)) as fc.Arbitrary<readonly ScenarioResult[]>,
    findings,
    outages: fc.array(outage, { maxLength: 3 }),
    replacements: fc.array(
      fc.record({
        nodeClaim: hostileText,
        node: orNull(hostileText),
        cause: hostileText,
        ours: fc.boolean(),
        at: instant,
      }),
      { maxLength: 3 },
    ),
    undo: fc.array(
      fc.record({
        action: hostileText,
        target: hostileText,
        state: fc.constantFrom(
          'undone' as const,
          'kept' as const,
          'not-needed' as const,
          'failed' as const,
          'irreversible' as const,
        ),
        because: hostileText,
      }),
      { maxLength: 3 },
    ),
  })
  .map((result) => ({
    ...result,
    episodes: episodesOf(result.outages).map(({ seconds: _, ...episode }) => episode),
    resultTable: resultTable(result.scenarios),
  }));

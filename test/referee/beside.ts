import { type Probed, type Traffic, trafficIn } from './probed.ts';

/** The part of `report.json` (docs/contract.md) that is set beside the prober. */
export interface Report {
  readonly verdict: string;
  readonly criteria: readonly { readonly number: number; readonly outcome: string; readonly because: string }[];
  readonly scenarios: readonly ReportedScenario[];
}
export interface ReportedScenario {
  readonly name: string;
  readonly verdict: string;
  readonly window: { readonly from: string; readonly to: string } | null;
  readonly downtime: {
    readonly seconds: number;
    readonly lowerSeconds: number;
    readonly upperSeconds: number;
    readonly samples: number;
    readonly bad: number;
  } | null;
  readonly nodeReplacementSeconds: number | null;
  readonly podReadySeconds: number | null;
}

export interface Row {
  readonly scenario: ReportedScenario;
  readonly probed: Traffic | null;
  /**
   * Whether the prober's downtime lies within the product's bounds, give or take one of the prober's steps on each
   * side.
   */
  readonly agrees: boolean | null;
}

/**
 * The prober asks every 0.2 s, and the product once a second: a short outage between two of the product's samples is
 * not seen by it.
 */
const productIntervalSeconds = 1;
const proberIntervalSeconds = 0.2;

export function besideProber({ scenarios }: Pick<Report, 'scenarios'>, samples: readonly Probed[]): readonly Row[] {
  return scenarios.map((scenario) => {
    const { window, downtime } = scenario;
    if (window === null || downtime === null) return { scenario, probed: null, agrees: null };
    const probed = trafficIn(samples, { from: Date.parse(window.from), to: Date.parse(window.to) });
    const least = downtime.lowerSeconds - 2 * proberIntervalSeconds;
    const most = Math.max(downtime.upperSeconds, productIntervalSeconds) + 2 * proberIntervalSeconds;
    return { scenario, probed, agrees: probed.downtimeSeconds >= least && probed.downtimeSeconds <= most };
  });
}

/** A Markdown table, one row a scenario. */
export function tableOf(rows: readonly Row[]): string {
  const head = [
    '| Scenario | Verdict | Downtime [bounds], s | node / pod ready, s | Prober: downtime, s | bad of | kinds | agree |',
    '|---|---|---|---|---|---|---|---|',
  ];
  return [...head, ...rows.map(lineOf)].join('\n');
}

function lineOf({ scenario, probed, agrees }: Row): string {
  const { name, verdict, downtime, nodeReplacementSeconds, podReadySeconds } = scenario;
  const product =
    downtime === null
      ? '–'
      : `${figure(downtime.seconds)} [${figure(downtime.lowerSeconds)}, ${figure(downtime.upperSeconds)}]`;
  const kinds = Object.entries(probed?.kinds ?? {}).map(([kind, count]) => `${count} × ${kind}`);
  const cells = [
    name,
    verdict,
    product,
    `${figure(nodeReplacementSeconds)} / ${figure(podReadySeconds)}`,
    figure(probed?.downtimeSeconds ?? null),
    probed === null ? '–' : `${probed.bad} of ${probed.samples}`,
    kinds.join(', ') || '–',
    agrees === null ? '–' : agrees ? 'yes' : '**no**',
  ];
  return `| ${cells.join(' | ')} |`;
}

const figure = (seconds: number | null): string => (seconds === null ? '–' : seconds.toFixed(1));

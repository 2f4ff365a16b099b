import type { Report, ReportedScenario } from '../beside.ts';

/** What the rehearsals of one scenario said, with several seeds. */
export interface Foreseen {
  readonly verdicts: readonly string[];
  /** From the least lower bound to the greatest upper one; null if no seed measured downtime. */
  readonly downtime: { readonly least: number; readonly most: number } | null;
}
export interface Compared {
  readonly set: string;
  readonly measured: ReportedScenario;
  readonly foreseen: Foreseen;
  readonly isSameVerdict: boolean;
  /** Whether the measured bounds and the foreseen ones have a second in common; null where one of them is not there. */
  readonly isWithin: boolean | null;
}

/** Each scenario that the real cluster had, beside the rehearsals of the same manifests. */
export function besideRehearsals(
  set: string,
  real: Pick<Report, 'scenarios'>,
  rehearsed: readonly Pick<Report, 'scenarios'>[],
): readonly Compared[] {
  return real.scenarios
    .filter(({ verdict }) => verdict !== 'not-tested')
    .map((measured) => {
      const foreseen = foreseenOf(
        rehearsed.flatMap(({ scenarios }) => scenarios.filter(({ name }) => name === measured.name)),
      );
      return {
        set,
        measured,
        foreseen,
        isSameVerdict: foreseen.verdicts.includes(measured.verdict),
        isWithin: isWithin(measured, foreseen),
      };
    });
}

function foreseenOf(scenarios: readonly ReportedScenario[]): Foreseen {
  const bounds = scenarios.flatMap(({ downtime }) => downtime ?? []);
  return {
    verdicts: [...new Set(scenarios.map(({ verdict }) => verdict))].sort(),
    downtime:
      bounds.length === 0
        ? null
        : {
            least: Math.min(...bounds.map(({ lowerSeconds }) => lowerSeconds)),
            most: Math.max(...bounds.map(({ upperSeconds }) => upperSeconds)),
          },
  };
}

function isWithin({ downtime }: ReportedScenario, { downtime: foreseen }: Foreseen): boolean | null {
  if (downtime === null || foreseen === null) return null;
  return downtime.lowerSeconds <= foreseen.most && downtime.upperSeconds >= foreseen.least;
}

/** A Markdown table, one row a scenario of a set. */
export function ownTable(rows: readonly Compared[]): string {
  const head = [
    '| Manifests | Scenario | Rehearsed | Downtime there, s | Real | Downtime [bounds], s | same verdict | within |',
    '|---|---|---|---|---|---|---|---|',
  ];
  return [...head, ...rows.map(lineOf)].join('\n');
}

function lineOf({ set, measured, foreseen, isSameVerdict, isWithin: within }: Compared): string {
  const { name, verdict, downtime } = measured;
  const cells = [
    set,
    name,
    foreseen.verdicts.join(' or ') || '–',
    foreseen.downtime === null ? '–' : `${foreseen.downtime.least.toFixed(1)} to ${foreseen.downtime.most.toFixed(1)}`,
    verdict,
    downtime === null
      ? '–'
      : `${downtime.seconds.toFixed(1)} [${downtime.lowerSeconds.toFixed(1)}, ${downtime.upperSeconds.toFixed(1)}]`,
    isSameVerdict ? 'yes' : '**no**',
    within === null ? '–' : within ? 'yes' : '**no**',
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Of a scenario, what is set beside its rehearsals. */
export interface Measured {
  readonly name: string;
  readonly verdict: string;
  readonly downtime: {
    readonly seconds: number;
    readonly lowerSeconds: number;
    readonly upperSeconds: number;
  } | null;
}
/** Of a report; a run of several applications has the scenarios of each. */
export interface OwnReport {
  readonly scenarios: readonly Measured[];
  readonly applications?: readonly { readonly name: string; readonly scenarios?: readonly Measured[] }[];
}

/** What the rehearsals of one scenario said, with several seeds. */
export interface Foreseen {
  readonly verdicts: readonly string[];
  /** From the least lower bound to the greatest upper one; null if no seed measured downtime. */
  readonly downtime: { readonly least: number; readonly most: number } | null;
}
export interface Compared {
  readonly set: string;
  readonly measured: Measured;
  readonly foreseen: Foreseen;
  readonly isSameVerdict: boolean;
  /** Whether the measured bounds and the foreseen ones have a second in common; null where one of them is not there. */
  readonly isWithin: boolean | null;
}

/**
 * Each scenario that the real cluster had, beside the rehearsals of the same manifests; of a run of several
 * applications those of each.
 */
export function besideRehearsals(set: string, real: OwnReport, rehearsed: readonly OwnReport[]): readonly Compared[] {
  const { applications = [] } = real;
  if (applications.length < 2) return scenariosBeside(set, real, rehearsed);
  return applications.flatMap(({ name, scenarios = [] }) =>
    scenariosBeside(
      `${set}: ${name}`,
      { scenarios },
      rehearsed.map((one) => ofApplication(one, name)),
    ),
  );
}

function ofApplication({ applications }: OwnReport, name: string): OwnReport {
  return { scenarios: applications?.find((one) => one.name === name)?.scenarios ?? [] };
}

function scenariosBeside(set: string, real: OwnReport, rehearsed: readonly OwnReport[]): readonly Compared[] {
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

function foreseenOf(scenarios: readonly Measured[]): Foreseen {
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

function isWithin({ downtime }: Measured, { downtime: foreseen }: Foreseen): boolean | null {
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

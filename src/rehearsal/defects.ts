import { defects as clusterDefects } from '@holdfast/embedded-cluster';
import { UsageError } from '../host/errors.ts';

/** Faults of the network between program and embedded cluster, and of the machine that the program runs on. */
export interface WireFaults {
  /** How long the prober's machine stalls at the start of each period; 0: never. */
  readonly stallSeconds: number;
  readonly stallPeriodSeconds: number;
  /** The API server is unreachable from this many seconds after the first disruptive write; undefined: never. */
  readonly apiLostAfterSeconds: number | undefined;
}

const noFaults: WireFaults = {
  stallSeconds: 0,
  stallPeriodSeconds: Number.POSITIVE_INFINITY,
  apiLostAfterSeconds: undefined,
};

const wireDefects: Readonly<Record<string, { readonly what: string; readonly faults: Partial<WireFaults> }>> = {
  'prober-stalls': {
    what: 'The prober’s machine stalls for 15 seconds in every 90.',
    faults: { stallSeconds: 15, stallPeriodSeconds: 90 },
  },
  'api-lost-during-undo': {
    what: 'The API server is unreachable from 30 seconds after the first disruptive write on.',
    faults: { apiLostAfterSeconds: 30 },
  },
};

/**
 * By name (`docs/contract.md`, "Defects of the embedded cluster"): those of the cluster, and those between it and the
 * program.
 */
export const defects: Readonly<Record<string, { readonly what: string }>> = { ...clusterDefects, ...wireDefects };

/** What to make the cluster with, and what is wrong around it. A `UsageError` lists every unknown name. */
export function defectsOf(names: readonly string[]): {
  readonly ofCluster: readonly string[];
  readonly wire: WireFaults;
} {
  const mistakes = names
    .filter((name) => defects[name] === undefined)
    .map((name) => `There is no defect ${name}. The defects are: ${Object.keys(defects).join(', ')}`);
  if (mistakes.length > 0) throw new UsageError(mistakes);
  return {
    ofCluster: names.filter((name) => clusterDefects[name] !== undefined),
    wire: Object.assign({}, noFaults, ...names.map((name) => wireDefects[name]?.faults)),
  };
}

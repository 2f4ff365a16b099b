import type { Fact } from '../../journal/journal.ts';
import type { Finding, Outcome } from '../finding.ts';
import type { WindowDowntime } from '../window-downtime.ts';

export interface RehearsedApplication {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly host: string;
  readonly path: string;
}

/**
 * The rehearsal of another application of the same manifests, with the same seed, disrupted and measured in its turn;
 * written after `run-finished`.
 */
export interface ApplicationRehearsed extends Fact {
  readonly type: 'application-rehearsed';
  readonly application: RehearsedApplication;
  readonly verdict: 'pass' | 'fail' | 'inconclusive' | 'error';
  readonly scenarios: readonly {
    readonly name: string;
    readonly verdict: 'pass' | 'fail' | 'inconclusive' | 'not-tested';
    readonly notApplicable?: string;
    readonly downtime: WindowDowntime | null;
    readonly findings: readonly Finding[];
  }[];
  readonly criteria: readonly {
    readonly number: 1 | 2 | 3 | 4 | 5 | 6;
    readonly outcome: Outcome | 'not-tested';
    readonly because: string;
    readonly notApplicable?: string;
  }[];
  readonly findings: readonly Finding[];
}

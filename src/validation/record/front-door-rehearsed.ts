import type { Fact } from '../../journal/journal.ts';
import type { ManifestPlace } from '../finding.ts';
import type { ShownPart } from '../window-downtime.ts';

/** What of the manifests a rehearsal leaves out or takes otherwise, and the scenarios whose answer that may change. */
export interface NotRehearsed {
  readonly at: Pick<ManifestPlace, 'file' | 'line'>;
  readonly what: string;
  readonly concerns: readonly string[];
}

/** What to set at a front door, or in the application behind it. */
export interface DoorAdvice {
  readonly what: string;
  readonly because: string;
  /** Whether a rehearsal had it set. */
  readonly tried: boolean;
  /** What visitors noticed in each scenario without it and with it; absent in the journals of older versions. */
  readonly trials?: readonly { readonly scenario: string; readonly without: ShownPart; readonly with: ShownPart }[];
}

/** The application behind one front door; written after `run-finished`, for each that was asked for. */
export interface FrontDoorRehearsed extends Fact {
  readonly type: 'front-door-rehearsed';
  readonly name: string;
  /** Whether the manifests have it. */
  readonly declared: boolean;
  readonly verdict: 'pass' | 'fail' | 'inconclusive' | 'error';
  readonly scenarios: readonly {
    readonly name: string;
    readonly outcome: 'pass' | 'fail' | 'inconclusive' | 'not-tested' | 'not-applicable';
    readonly downtime: ShownPart | null;
  }[];
  readonly advice: readonly DoorAdvice[];
  readonly notRehearsed: readonly NotRehearsed[];
}

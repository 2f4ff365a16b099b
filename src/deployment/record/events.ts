import type { Fact } from '../../journal/journal.ts';
import type { Notification } from '../../notification/notifier.ts';
import type { DeploymentSettings } from '../settings/settings.ts';
import type { DeployDocument } from './document.ts';
import type { Performer } from './performer.ts';
import type { DeployEvent, State } from './states.ts';
import type { VisitorCounts } from './visitor-counts.ts';

/** The facts of a deployment's journal. Every fact names its run. */
export type DeploymentFact =
  | RunFact<
      'run-started',
      {
        readonly kind: RunKind;
        readonly branch: string;
        readonly variant: string;
        /** Absent in journals from before the mode `releases` existed: `in-place`. */
        readonly mode?: DeploymentSettings['mode'];
        readonly pid: number;
        readonly bootId: string;
        /** Absent in journals from before it was recorded. */
        readonly by?: Performer;
        readonly message?: string;
      }
    >
  | RunFact<'baseline-checked', { readonly status: number }>
  | RunFact<'local-edits-found', { readonly paths: readonly string[] }>
  | RunFact<'reset-intended', { readonly from: string; readonly to: string }>
  | RunFact<'rollback-intended', { readonly from: string; readonly to: string; readonly because?: string }>
  | RunFact<'warned', { readonly warnings: readonly string[] }>
  | RunFact<'child-started', { readonly pid: number; readonly startTicks: string }>
  /**
   * What visitors got whose requests began in this second; what comes late has a fact of its own for the same second.
   */
  | RunFact<'visitors-counted', { readonly second: string } & VisitorCounts>
  | RunFact<'notified', { readonly message: string; readonly notifications: readonly Notification[] }>
  | RunFact<'step-finished', { readonly name: string; readonly seconds: number; readonly exitCode: number }>
  | RunFact<'state-changed', { readonly from: State; readonly to: State; readonly event: DeployEvent }>
  | RunFact<'run-finished', { readonly document: DeployDocument }>;

export type RunKind = 'deploy' | 'rollback' | 'repair' | 'backup';
/** A fact without the run's id, which the run adds. */
export type RunFactOf<F = DeploymentFact> = F extends DeploymentFact ? Omit<F, 'at' | 'run'> : never;

type RunFact<T extends string, More> = Fact & { readonly type: T; readonly run: string } & More;

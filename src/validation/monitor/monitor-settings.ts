import type { Sample, Target } from '../../host/host.ts';
import type { Expected, OutageKind } from '../downtime/outage-kind.ts';

export interface MonitorSettings extends Expected {
  readonly targets: readonly [Target, ...Target[]];
  /** Probed too, to distinguish trouble of the prober from downtime of the targets. */
  readonly control?: Target;
  readonly intervalSeconds: number;
  readonly timeoutSeconds: number;
  /**
   * Between two probes of the edges: a third one on new connections, while it is asked for (docs/monitor.md, "Edges").
   */
  readonly edgesSeconds?: number;
  /** The targets whose good samples are counted in a row; the first one by default. */
  readonly counted?: readonly Target[];
  /** Whether a second probe uses a kept connection (docs/facts/measuring.md, "New and kept connections"). */
  readonly reused: boolean;
  /** By target: its own settings, which replace those of all targets. */
  readonly own?: Readonly<Record<string, Partial<Expected & { readonly timeoutSeconds: number }>>>;
}

export const timeoutOf = ({ own, timeoutSeconds }: MonitorSettings, { url }: Target): number =>
  own?.[url]?.timeoutSeconds ?? timeoutSeconds;

/** The name of the target in the log; undefined for the only one. */
export function nameOf({ targets, control }: MonitorSettings, target: Target): string | undefined {
  return targets.length > 1 || target === control ? target.url : undefined;
}

/**
 * Called when a probe ends. The kind is undefined for a good sample. Not called for the control target and for probes
 * of the edges, nor for a sample that is bad only because this process did not run: of it nothing is known.
 */
export type OnProbe = (sample: Sample, target: Target, kind: OutageKind | undefined) => void;

import type {
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  Pod,
  PodDisruptionBudget,
  Service,
} from '../../cluster/resources.ts';
import type { Finding } from '../finding.ts';
import type { Settings } from '../settings.ts';

/** An application and what stands before it, as far as it was found. */
export interface Audited {
  readonly settings: Settings;
  readonly application: {
    readonly deployment: Deployment;
    readonly budgets: readonly PodDisruptionBudget[];
    readonly ingresses: readonly Ingress[];
    readonly autoscalers: readonly HorizontalPodAutoscaler[];
  };
  /** Undefined where there is none to look at. */
  readonly ingressController?: {
    readonly deployment?: Deployment;
    readonly service?: Service;
    /** In manifests, of that Deployment: where they leave its replicas to them. */
    readonly autoscalers?: readonly HorizontalPodAutoscaler[];
  };
  /** What runs at this moment; undefined for manifests. */
  readonly now?: {
    readonly pods: readonly Pod[];
    readonly ingressPods: readonly Pod[];
  };
}

/** A requirement for real zero downtime (4.2), or what decides whether it holds. */
export interface Rule {
  readonly name: string;
  /** One of the six of 4.2: missing it is an error, and not being able to look at it leaves the audit open. */
  readonly required: boolean;
  /** Pure. */
  readonly look: (audited: Audited) => Verdict;
}

/** What a rule has to say of one object. */
export type Verdict =
  | {
      readonly outcome: 'met' | 'missed';
      readonly subject: string;
      readonly expected: string;
      readonly observed: string;
      readonly advice?: string;
    }
  /** There was nothing to look at. */
  | { readonly outcome: 'unseen'; readonly subject: string; readonly expected: string };

/** Pure. A verdict as a finding: what is required is an error when it is missed, everything else a warning. */
export function findingOfRule({ name, required }: Rule, verdict: Verdict): Finding {
  const { subject, expected } = verdict;
  if (verdict.outcome === 'unseen')
    return { id: name, severity: 'warning', subject, expected, observed: 'not looked at', advice: '' };
  const { outcome, observed, advice = '' } = verdict;
  const severity = outcome === 'met' ? 'info' : required ? 'error' : 'warning';
  return { id: name, severity, subject, expected, observed, advice: outcome === 'met' ? '' : advice };
}

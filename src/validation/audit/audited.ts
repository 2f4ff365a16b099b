import type { AnyObject } from '../../cluster/objects.ts';
import type {
  Deployment,
  HorizontalPodAutoscaler,
  Pod,
  PodDisruptionBudget,
  Service,
} from '../../cluster/resources.ts';
import type { Workload } from '../../cluster/workload.ts';
import type { Cause, Finding } from '../finding.ts';
import { nameOf, placeOf } from '../manifests/preview.ts';
import type { WayIn } from '../observe/read-way-in.ts';
import type { Settings } from '../settings.ts';

/**
 * An application and the ingress controller before it, as far as they were found; without an Ingress
 * `ingressController` has the application's own Service alone.
 */
export interface Audited {
  readonly settings: Settings;
  readonly application: {
    readonly workload: Workload;
    readonly budgets: readonly PodDisruptionBudget[];
    readonly waysIn: readonly WayIn[];
    readonly autoscalers: readonly HorizontalPodAutoscaler[];
  };
  /** Undefined if none was found. */
  readonly ingressController?: {
    readonly deployment?: Deployment;
    readonly service?: Service;
    /** The HorizontalPodAutoscalers of that Deployment in manifests, which may leave its replicas to them. */
    readonly autoscalers?: readonly HorizontalPodAutoscaler[];
  };
  /** The pods at this moment; undefined for manifests. */
  readonly now?: {
    readonly pods: readonly Pod[];
    readonly ingressPods: readonly Pod[];
  };
}

/** A requirement for real zero downtime (4.2), or a condition that decides whether it holds. */
export interface Rule {
  readonly name: string;
  /** One of the requirements of 4.2: a miss is an error, and without an object to look at the audit is inconclusive. */
  readonly required: boolean;
  /** It looks at the Ingress or its controller, which not every application has. */
  readonly ofIngress?: true;
  /** It looks at an HTTPRoute instead of an Ingress. */
  readonly ofRoute?: true;
  /** Where it says anything; everywhere by default. */
  readonly applies?: (audited: Audited) => boolean;
  readonly look: (audited: Audited) => Verdict;
}

/** The object that was looked at, or a name for one that was not found. */
type Subject = AnyObject | string;

/** The result of a rule for one object. */
export type Verdict =
  | {
      readonly outcome: 'met' | 'missed';
      readonly subject: Subject;
      readonly expected: string;
      readonly observed: string;
      readonly advice?: string;
      /** The field that is why, where it is in another object than the subject. */
      readonly because?: Cause;
    }
  /** There was no object to look at, or one that says nothing of it; `observed` then says why. */
  | {
      readonly outcome: 'not-audited';
      readonly subject: Subject;
      readonly expected: string;
      readonly observed?: string;
    };

/** A verdict as a finding: a miss is an error if the rule is required, otherwise a warning. */
export function findingOfRule({ name, required }: Rule, verdict: Verdict): Finding {
  const about = { ...subjectOf(verdict.subject), expected: verdict.expected };
  if (verdict.outcome === 'not-audited') {
    const { observed = 'not looked at' } = verdict;
    return { id: name, severity: 'warning', ...about, observed, advice: '' };
  }
  const { outcome, observed, advice = '', because } = verdict;
  const severity = outcome === 'met' ? 'info' : required ? 'error' : 'warning';
  return {
    id: name,
    severity,
    ...about,
    observed,
    advice: outcome === 'met' ? '' : advice,
    ...(because && { because }),
  };
}

function subjectOf(subject: Subject): Pick<Finding, 'subject' | 'object'> {
  if (typeof subject === 'string') return { subject };
  return { subject: nameOf(subject), object: { kind: subject.kind, ...placeOf(subject) } };
}

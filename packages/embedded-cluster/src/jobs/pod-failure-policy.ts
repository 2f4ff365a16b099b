import type { Job, PodFailureRule } from '../kubernetes/batch.ts';
import type { Pod } from '../kubernetes/resources.ts';

/**
 * The first rule of a Job's podFailurePolicy that a failed pod matches; the message is of a rule that fails the Job.
 */
export interface RuleMatch {
  readonly action: PodFailureRule['action'];
  readonly message: string;
}

/** Undefined without a policy, or where no rule matches: then the failure counts (pod_failure_policy.go). */
export function ruleMatch({ spec }: Job, pod: Pod): RuleMatch | undefined {
  for (const [index, rule] of (spec.podFailurePolicy?.rules ?? []).entries()) {
    const because = exitCodeMatch(rule, pod) ?? conditionMatch(rule, pod);
    if (because === undefined) continue;
    return { action: rule.action, message: `${because} matching ${rule.action} rule at index ${index}` };
  }
  return undefined;
}

function exitCodeMatch({ onExitCodes }: PodFailureRule, { metadata, status }: Pod): string | undefined {
  if (onExitCodes === undefined) return undefined;
  const { containerName, operator, values } = onExitCodes;
  for (const { name, state } of status?.containerStatuses ?? []) {
    const exitCode = state?.terminated?.exitCode ?? 0;
    const isMeant = (containerName ?? name) === name && exitCode !== 0;
    if (isMeant && values.includes(exitCode) === (operator === 'In'))
      return `Container ${name} for pod ${metadata.namespace}/${metadata.name} failed with exit code ${exitCode}`;
  }
  return undefined;
}

function conditionMatch({ onPodConditions = [] }: PodFailureRule, { metadata, status }: Pod): string | undefined {
  for (const condition of status?.conditions ?? [])
    for (const pattern of onPodConditions)
      if (pattern.type === condition.type && (pattern.status ?? 'True') === condition.status)
        return `Pod ${metadata.namespace}/${metadata.name} has condition ${condition.type}`;
  return undefined;
}

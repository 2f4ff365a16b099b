import { condition } from '../../cluster/pods.ts';
import type { Pod } from '../../cluster/resources.ts';
import type { Container } from '../../cluster/specs.ts';
import { inTemplate, type Obstacle, type Stuck } from './obstacle.ts';

/** Why a pod that has its node and its volumes is not ready. */
export function containerObstacles(stuck: Stuck, waiting: readonly Pod[]): readonly Obstacle[] {
  const found = waiting.flatMap((pod) => [...restarting(stuck, pod), ...gated(stuck, pod)]);
  return [...new Map(found.map((one) => [one.because.field, one])).values()];
}

function restarting({ workload }: Stuck, { spec, status }: Pod): readonly Obstacle[] {
  const crashing = (status?.containerStatuses ?? []).filter(
    ({ restartCount, ready, state }) => restartCount > 1 && (!ready || state?.waiting !== undefined),
  );
  return crashing.flatMap(({ name, restartCount }) => {
    const index = spec.containers.findIndex((one) => one.name === name);
    const container = spec.containers[index];
    const ending = container && endingProbe(container);
    if (ending === undefined) return [];
    const { probe, afterSeconds } = ending;
    return [
      {
        because: inTemplate(workload, `containers[${index}].${probe}`),
        observed: `${probe} ends container ${name} ${afterSeconds} s after its start, before it listens: restarted ${restartCount} times (CrashLoopBackOff)`,
        advice:
          'give it a startupProbe whose failureThreshold times periodSeconds is longer than the slowest start: the livenessProbe waits for it',
      },
    ];
  });
}

/** The probe that ends a container which does not listen, and when: defaults of core/v1 Probe. */
function endingProbe({ startupProbe, livenessProbe }: Container) {
  const probe = startupProbe === undefined ? 'livenessProbe' : 'startupProbe';
  const asked = startupProbe ?? livenessProbe;
  if (asked === undefined) return undefined;
  const { initialDelaySeconds = 0, periodSeconds = 10, failureThreshold = 3 } = asked;
  return { probe, afterSeconds: initialDelaySeconds + periodSeconds * failureThreshold } as const;
}

/** A condition that something outside the pod sets (Kubernetes, "Pod readiness"). */
function gated({ workload }: Stuck, pod: Pod): readonly Obstacle[] {
  const gates = pod.spec.readinessGates ?? [];
  const missing = gates.map(({ conditionType }) => conditionType).filter((type) => !isMet(pod, type));
  if (missing.length === 0 || condition(pod, 'ContainersReady')?.status !== 'True') return [];
  return [
    {
      because: inTemplate(workload, 'readinessGates'),
      observed: `nothing sets the condition ${missing.join(', ')} of the readiness gate: the pods are never ready`,
      advice: 'take the readiness gate away, or run what sets its condition',
    },
  ];
}

const isMet = (pod: Pod, type: string): boolean => condition(pod, type)?.status === 'True';

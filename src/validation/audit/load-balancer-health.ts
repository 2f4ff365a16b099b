import type { Service } from '../../cluster/resources.ts';
import type { Rule } from './audited.ts';

/** The health check of an AWS load balancer. */
export interface HealthCheck {
  readonly intervalSeconds: number;
  readonly unhealthyThreshold: number;
  /** Until a dead target gets no more connections. */
  readonly unhealthyAfterSeconds: number;
  readonly deregistrationSeconds: number;
  /**
   * Whether the targets are pods, or only nodes with a pod: then kube-proxy cannot send their traffic to other pods.
   */
  readonly targetsPods: boolean;
}

const prefix = 'service.beta.kubernetes.io/aws-load-balancer-';

/**
 * The health check by the annotations of the AWS load balancer controller, with its defaults: two failures of instances
 * with externalTrafficPolicy Local, which are asked at healthCheckNodePort, else three (docs/facts/aws.md, "Network
 * Load Balancer").
 */
export function healthCheckOf({ metadata: { annotations = {} }, spec }: Service): HealthCheck {
  const number = (name: string, otherwise: number) => Number(annotations[`${prefix}${name}`] ?? otherwise);
  const intervalSeconds = number('healthcheck-interval', 10);
  const targetsAddresses = annotations[`${prefix}nlb-target-type`] === 'ip';
  const isLocal = spec.externalTrafficPolicy === 'Local';
  const unhealthyThreshold = number('healthcheck-unhealthy-threshold', isLocal && !targetsAddresses ? 2 : 3);
  const attributes = annotations[`${prefix}target-group-attributes`] ?? '';
  const [, delay = '300'] = /deregistration_delay\.timeout_seconds=(\d+)/.exec(attributes) ?? [];
  return {
    intervalSeconds,
    unhealthyThreshold,
    unhealthyAfterSeconds: intervalSeconds * unhealthyThreshold,
    deregistrationSeconds: Number(delay),
    targetsPods: targetsAddresses || isLocal,
  };
}

/**
 * The address of a load balancer that is none of AWS; undefined where the Service has none yet, or annotations for one
 * of AWS.
 */
function addressOfAnother({ metadata: { annotations = {} }, status }: Service): string | undefined {
  if (Object.keys(annotations).some((name) => name.startsWith(prefix))) return undefined;
  const addresses = (status?.loadBalancer?.ingress ?? []).flatMap(({ hostname, ip }) => hostname ?? ip ?? []);
  return addresses.find((address) => !/\.amazonaws\.com(\.cn)?$/.test(address));
}

/**
 * 4.2: proper load balancer health checks: a dead target is found within the downtime that an instance crash may cost.
 */
export const loadBalancerHealth: Rule = {
  name: 'load-balancer-health',
  required: true,
  look: ({ ingressController, settings }) => {
    const limit = settings.instanceKill.maximumDowntime;
    const expected = `a dead target found within ${limit} s`;
    const service = ingressController?.service;
    if (service === undefined) return { outcome: 'not-audited', subject: 'load balancer', expected };
    const foreign = addressOfAnother(service);
    if (foreign !== undefined) {
      const observed = `not looked at: the load balancer ${foreign} is none of AWS, and its health check cannot be read here`;
      return { outcome: 'not-audited', subject: service, expected, observed };
    }
    const { intervalSeconds, unhealthyThreshold, unhealthyAfterSeconds, deregistrationSeconds } =
      healthCheckOf(service);
    return {
      outcome: unhealthyAfterSeconds <= limit ? 'met' : 'missed',
      subject: service,
      expected,
      observed: `${intervalSeconds} s × ${unhealthyThreshold} = ${unhealthyAfterSeconds} s; deregistration ${deregistrationSeconds} s; by the annotations and the defaults of AWS, the load balancer itself was not read`,
      advice: `lower ${prefix}healthcheck-interval or -unhealthy-threshold`,
    };
  },
};

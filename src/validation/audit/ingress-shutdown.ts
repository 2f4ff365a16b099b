import { preStopOf } from '../../cluster/pre-stop.ts';
import type { Deployment } from '../../cluster/resources.ts';
import { defaultGraceSeconds } from '../predict/circumstances.ts';
import type { Rule, Verdict } from './audited.ts';
import { imagesOf, isIngressNginx, type Shutdown, shutdownOf } from './controller-shutdown.ts';
import { type HealthCheck, healthCheckOf } from './load-balancer-health.ts';

/** Twice what kube-proxy needs to apply a change, 1 s (docs/facts/kubernetes.md, "Endpoints"). */
const kubeProxySeconds = 2;
/** A controller pod that closes its sockets while it still gets traffic refuses connections (ingress-nginx#11145). */
export const ingressShutdown: Rule = {
  name: 'ingress-shutdown',
  required: false,
  ofIngress: true,
  look: ({ ingressController: controller }) => {
    const expected = 'the controller serves on until nobody sends to it any more';
    const { deployment, service } = controller ?? {};
    const ending = deployment && service && shutdownOf(deployment, service);
    if (!(deployment && service && ending)) return { outcome: 'not-audited', subject: 'ingress controller', expected };
    return verdictOn(deployment, healthCheckOf(service), ending, expected);
  },
};

/** The repository of ingress-nginx is read-only since March 2026 (docs/facts/ingress-nginx.md, "Retirement"). */
export const ingressRetired: Rule = {
  name: 'ingress-retired',
  required: false,
  ofIngress: true,
  look: ({ ingressController: controller }) => {
    const deployment = controller?.deployment;
    const verdict = {
      subject: deployment ?? 'ingress controller',
      expected: 'a controller that is maintained',
    };
    if (deployment === undefined) return { ...verdict, outcome: 'not-audited' };
    if (!isIngressNginx(deployment)) {
      const observed = `not looked at: whether ${imagesOf(deployment).join(', ')} is maintained is not known here`;
      return { ...verdict, outcome: 'not-audited', observed };
    }
    return {
      ...verdict,
      outcome: 'missed',
      observed: 'ingress-nginx, which is retired since March 2026',
      advice: 'plan its replacement: there will be no more fixes',
    };
  },
};

function verdictOn(
  deployment: Deployment,
  { targetsPods, unhealthyAfterSeconds }: HealthCheck,
  { servesSeconds, thenSeconds, argument, instead }: Shutdown,
  expected: string,
): Verdict {
  const needed = targetsPods ? unhealthyAfterSeconds : kubeProxySeconds;
  const who = targetsPods ? 'the load balancer’s health check' : 'kube-proxy';
  const { containers, terminationGracePeriodSeconds: grace = defaultGraceSeconds } = deployment.spec.template.spec;
  const preStop = Math.max(0, ...containers.map(preStopOf));
  const served = preStop + servesSeconds;
  const room = served + thenSeconds;
  const verdict = {
    subject: deployment,
    expected: `${expected}: ${needed} s for ${who}, and a grace of at least ${room} s`,
    observed: `preStop ${preStop} s, ${argument} ${servesSeconds} s, grace ${grace} s`,
  };
  if (served >= needed && grace >= room) return { ...verdict, outcome: 'met' };
  const advice =
    served < needed
      ? (instead ?? `set ${argument} to ${needed} or more`)
      : `set terminationGracePeriodSeconds to ${room} or more`;
  return { ...verdict, outcome: 'missed', advice };
}

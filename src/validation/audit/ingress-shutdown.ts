import { preStopOf } from '../../cluster/pods.ts';
import type { Deployment, Service } from '../../cluster/resources.ts';
import { nameOf } from '../manifests/preview.ts';
import { defaultGraceSeconds } from '../predict/circumstances.ts';
import type { Rule, Verdict } from './audited.ts';
import { healthCheckOf } from './load-balancer-health.ts';

/** Twice what kube-proxy needs to apply a change, 1 s (docs/facts/kubernetes.md, "Endpoints"). */
const kubeProxySeconds = 2;
/** The default of ingress-nginx' `--post-shutdown-grace-period` (docs/facts/ingress-nginx.md, "Ending a controller"). */
const postShutdownSeconds = 10;

/** A controller pod that closes its sockets while it still gets traffic refuses connections (ingress-nginx#11145). */
export const ingressShutdown: Rule = {
  name: 'ingress-shutdown',
  required: false,
  ofIngress: true,
  look: ({ ingressController: controller }) => {
    const expected = 'the controller serves on until nobody sends to it any more';
    const { deployment, service } = controller ?? {};
    if (deployment === undefined || service === undefined || !isIngressNginx(deployment))
      return { outcome: 'not-audited', subject: 'ingress controller', expected };
    return verdictOn(deployment, service, expected);
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
      subject: deployment === undefined ? 'ingress controller' : nameOf(deployment),
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

function verdictOn(deployment: Deployment, service: Service, expected: string): Verdict {
  const { targetsPods, unhealthyAfterSeconds } = healthCheckOf(service);
  const needed = targetsPods ? unhealthyAfterSeconds : kubeProxySeconds;
  const who = targetsPods ? 'the load balancer’s health check' : 'kube-proxy';
  const { containers, terminationGracePeriodSeconds: grace = defaultGraceSeconds } = deployment.spec.template.spec;
  const preStop = Math.max(0, ...containers.map(preStopOf));
  const shutdown = Number(argumentOf(deployment, '--shutdown-grace-period') ?? 0);
  const served = preStop + shutdown;
  const room = served + postShutdownSeconds;
  const verdict = {
    subject: nameOf(deployment),
    expected: `${expected}: ${needed} s for ${who}, and a grace of at least ${room} s`,
    observed: `preStop ${preStop} s, --shutdown-grace-period ${shutdown} s, grace ${grace} s`,
  };
  if (served >= needed && grace >= room) return { ...verdict, outcome: 'met' };
  const advice =
    served < needed
      ? `set --shutdown-grace-period to ${needed} or more`
      : `set terminationGracePeriodSeconds to ${room} or more`;
  return { ...verdict, outcome: 'missed', advice };
}

function argumentOf({ spec }: Deployment, name: string): string | undefined {
  const args = spec.template.spec.containers.flatMap(({ args: given = [] }) => given);
  return args.find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1);
}

const imagesOf = ({ spec }: Deployment): readonly string[] => spec.template.spec.containers.map(({ image }) => image);
/** By its image, or by the label that its manifests and its chart give to the pods, which a mirrored or rebuilt image leaves. */
const isIngressNginx = (deployment: Deployment): boolean =>
  imagesOf(deployment).some((image) => image.includes('ingress-nginx')) ||
  deployment.spec.template.metadata?.labels?.['app.kubernetes.io/name'] === 'ingress-nginx';

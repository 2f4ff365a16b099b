import type { Deployment, Service } from '../../cluster/resources.ts';

/** How an ingress controller ends after SIGTERM, by its arguments. */
export interface Shutdown {
  /** For how long it takes new connections. */
  readonly servesSeconds: number;
  /** For how long requests under way may then take. */
  readonly thenSeconds: number;
  /** What sets the first. */
  readonly argument: string;
  /** What to set where the first cannot be made longer. */
  readonly instead?: string;
}

/** Undefined of a controller whose arguments are not known here. */
export function shutdownOf(deployment: Deployment, service: Service): Shutdown | undefined {
  if (isIngressNginx(deployment)) return shutdownOfIngressNginx(deployment);
  if (isEnvoy(deployment)) return shutdownOfEnvoy(deployment, service);
  return isTraefik(deployment) ? shutdownOfTraefik(deployment, service) : undefined;
}

/**
 * By its image, or by the label that its manifests and its chart give to the pods, which a mirrored or rebuilt image
 * leaves.
 */
export const isIngressNginx = (deployment: Deployment): boolean =>
  // An image says more than a label, which somebody may have kept when they replaced the controller.
  !imagesOf(deployment).some(isOfTraefik) &&
  isOf(deployment, 'ingress-nginx', (image) => image.includes('ingress-nginx'));

const isTraefik = (deployment: Deployment): boolean => isOf(deployment, 'traefik', isOfTraefik);
const isOfTraefik = (image: string): boolean => /(^|\/)traefik(-[a-z]+)?(:|@|$)/.test(image);

const isEnvoy = (deployment: Deployment): boolean =>
  imagesOf(deployment).some((image) => /(^|\/)envoyproxy\/envoy(-[a-z]+)?[:@]/.test(image));

const isOf = (deployment: Deployment, name: string, isImage: (image: string) => boolean): boolean =>
  imagesOf(deployment).some(isImage) || deployment.spec.template.metadata?.labels?.['app.kubernetes.io/name'] === name;

export const imagesOf = ({ spec }: Deployment): readonly string[] =>
  spec.template.spec.containers.map(({ image }) => image);

/** docs/facts/ingress-nginx.md, "Ending a controller". */
function shutdownOfIngressNginx(deployment: Deployment): Shutdown {
  const argument = '--shutdown-grace-period';
  const servesSeconds = Number(argumentOf(deployment, argument) ?? 0);
  return { servesSeconds, thenSeconds: defaultAfterSeconds, argument };
}

/** Of both controllers: ingress-nginx’ `--post-shutdown-grace-period`, Traefik's `graceTimeOut`. */
const defaultAfterSeconds = 10;

/**
 * A proxy of Envoy Gateway drains for at least 10 s by its preStop. It is not ready from the beginning, so that with
 * traffic policy Local its node drops connections after 5 s (docs/front-doors.md, "Envoy Gateway").
 */
function shutdownOfEnvoy(deployment: Deployment, { spec }: Service): Shutdown {
  const hooks = deployment.spec.template.spec.containers.flatMap(({ lifecycle }) => lifecycle?.preStop?.exec ?? []);
  const [, drain = '10'] = /--min-drain-duration=(\d+)s/.exec(hooks.flatMap(({ command }) => command).join(' ')) ?? [];
  const argument = 'EnvoyProxy shutdown.minDrainDuration';
  if (spec.externalTrafficPolicy !== 'Local') return { servesSeconds: Number(drain), thenSeconds: 0, argument };
  const instead = 'set provider.kubernetes.envoyService.externalTrafficPolicy of the EnvoyProxy to Cluster';
  return { servesSeconds: servingWhileDraining, thenSeconds: 0, argument, instead };
}

/** Its readiness probe: every 5 s, one failure. */
const servingWhileDraining = 5;

/**
 * docs/facts/traefik.md, "Ending a controller". Each entry point ends by itself; visitors come through those behind the
 * Service.
 */
function shutdownOfTraefik(deployment: Deployment, service: Service): Shutdown {
  const points = entryPointsBehind(deployment, service);
  const lifeCycle = (point: string, setting: string) =>
    secondsOf(argumentOf(deployment, `--entrypoints.${point}.transport.lifecycle.${setting}`));
  const [first = 'web'] = points;
  return {
    servesSeconds: Math.min(...points.map((point) => lifeCycle(point, 'requestacceptgracetimeout') ?? 0)),
    thenSeconds: Math.max(...points.map((point) => lifeCycle(point, 'gracetimeout') ?? defaultAfterSeconds)),
    argument: `--entryPoints.${first}.transport.lifeCycle.requestAcceptGraceTimeout`,
  };
}

/** The entry points whose port the Service sends to; `web` where the arguments name none, as in the chart. */
function entryPointsBehind(deployment: Deployment, { spec }: Service): readonly string[] {
  const containers = deployment.spec.template.spec.containers;
  const ports = containers.flatMap(({ ports: all = [] }) => all);
  const numbers = (spec.ports ?? []).map(({ port, targetPort = port }) =>
    typeof targetPort === 'number' ? targetPort : ports.find(({ name }) => name === targetPort)?.containerPort,
  );
  const points = argumentsOf(deployment).flatMap((argument) => {
    const [, name = '', port] = /^--entrypoints\.([^.=]+)\.address=.*:(\d+)(?:\/tcp)?$/i.exec(argument) ?? [];
    return numbers.includes(Number(port)) ? [name.toLowerCase()] : [];
  });
  return points.length > 0 ? points : ['web'];
}

const argumentsOf = ({ spec }: Deployment): readonly string[] =>
  spec.template.spec.containers.flatMap(({ args = [] }) => args);

/** Traefik reads its arguments' names whatever their case. */
function argumentOf(deployment: Deployment, name: string): string | undefined {
  const start = `${name.toLowerCase()}=`;
  return argumentsOf(deployment)
    .find((argument) => argument.toLowerCase().startsWith(start))
    ?.slice(start.length);
}

const unitSeconds: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600 };

/** A duration as Traefik takes it: seconds, or `1m30s`. */
function secondsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const parts = [...text.matchAll(/([\d.]+)(ms|s|m|h)/g)];
  return parts.reduce((sum, [, count, unit = 's']) => sum + Number(count) * (unitSeconds[unit] ?? 1), 0);
}

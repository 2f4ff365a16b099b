import type { Container as ContainerSpec } from '../kubernetes/specs.ts';
import type { OnSigterm, Stopping } from '../machines/containers.ts';
import { isComponent, programOf } from '../machines/images.ts';
import { preStopHook } from './pre-stop.ts';

/**
 * How a container with that spec stops: from its preStop hook, its program and the program's arguments; `onSigterm` is
 * of one's own application.
 */
export function stoppingOf(
  spec: ContainerSpec | undefined,
  graceSeconds: number,
  quitsSeconds: number,
  onSigterm?: OnSigterm,
): Omit<Stopping, 'reapedSeconds'> {
  const { drainSeconds } = spec === undefined ? {} : programOf(spec.image);
  const hookSeconds = spec === undefined ? 0 : preStopHook(spec).seconds;
  const before = { preStopSeconds: drainSeconds ?? hookSeconds, graceSeconds };
  if (spec !== undefined && !isComponent(programOf(spec.image))) {
    if (onSigterm === 'answers') return { ...before, lingersSeconds: quitsSeconds, quitsSeconds: 0 };
    if (onSigterm === 'ignores')
      return { ...before, lingersSeconds: Number.POSITIVE_INFINITY, quitsSeconds: Number.POSITIVE_INFINITY };
  }
  return {
    ...before,
    ...(drainSeconds !== undefined && { failsHealth: true as const }),
    lingersSeconds: acceptsSeconds(spec),
    quitsSeconds: quitsSeconds + postShutdownSeconds(spec),
  };
}

/** For how long a controller takes connections after SIGTERM: by the argument of ingress-nginx, or of Traefik. */
const acceptsSeconds = (spec: ContainerSpec | undefined): number =>
  argumentSeconds(spec, '--shutdown-grace-period') ??
  argumentSeconds(spec, '--entryPoints.web.transport.lifeCycle.requestAcceptGraceTimeout') ??
  0;

/**
 * ingress-nginx looks once a second whether nginx has quit, and then waits (docs/facts/ingress-nginx.md, "Ending a
 * controller").
 */
const quitPollSeconds = 1;
const defaultPostShutdownSeconds = 10;

function postShutdownSeconds(spec: ContainerSpec | undefined): number {
  const given = argumentSeconds(spec, '--post-shutdown-grace-period');
  if (spec === undefined || programOf(spec.image).name !== 'ingress-nginx') return given ?? 0;
  return quitPollSeconds + (given ?? defaultPostShutdownSeconds);
}

function argumentSeconds(spec: ContainerSpec | undefined, name: string): number | undefined {
  const value = spec?.args?.find((argument) => argument.startsWith(`${name}=`));
  return value === undefined ? undefined : Number.parseFloat(value.slice(name.length + 1));
}

import type { Container as ContainerSpec } from '../../cluster/specs.ts';
import type { Stopping } from '../machines/containers.ts';

/** How a container with that spec stops: from its preStop hook and its program's arguments. */
export function stoppingOf(
  spec: ContainerSpec | undefined,
  graceSeconds: number,
  quitsSeconds: number,
): Omit<Stopping, 'reapedSeconds'> {
  return {
    preStopSeconds: preStopSeconds(spec),
    graceSeconds,
    lingersSeconds: argumentSeconds(spec, '--shutdown-grace-period'),
    quitsSeconds: quitsSeconds + argumentSeconds(spec, '--post-shutdown-grace-period'),
  };
}

/** `sleep: { seconds }`, or an `exec` that ends in `sleep n`. */
function preStopSeconds(spec: ContainerSpec | undefined): number {
  const hook = spec?.lifecycle?.preStop;
  if (hook?.sleep !== undefined) return hook.sleep.seconds;
  const [, seconds] = /sleep (\d+)/.exec(hook?.exec?.command.join(' ') ?? '') ?? [];
  return seconds === undefined ? 0 : Number(seconds);
}

function argumentSeconds(spec: ContainerSpec | undefined, name: string): number {
  const value = spec?.args?.find((argument) => argument.startsWith(`${name}=`));
  return value === undefined ? 0 : Number.parseFloat(value.slice(name.length + 1));
}

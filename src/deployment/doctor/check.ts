import type { Command, CommandResult, Host } from '../../host/host.ts';
import type { Checkout } from '../checkout/checkout.ts';
import type { DeploymentSettings } from '../settings/settings.ts';

/** The result of one check; `said` is a whole sentence where it is not ok. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  /** It breaks no deploy, and somebody should look at it. */
  readonly warning?: true;
  readonly said: string;
}

/** What a check may look at. */
export interface Examined {
  readonly host: Host;
  readonly settings: DeploymentSettings;
  readonly checkout: Checkout;
}

export function good(name: string, said: string): Check {
  return { name, ok: true, said };
}

export function warned(name: string, said: string): Check {
  return { name, ok: true, warning: true, said };
}

export function bad(name: string, said: string): Check {
  return { name, ok: false, said };
}

/** Runs a command as a deploy would, in the checkout. */
export function run(
  { host, settings, checkout }: Examined,
  command: Command,
  timeoutSeconds: number,
): Promise<CommandResult> {
  const env = command[0] === 'git' ? checkout.gitEnvironment : settings.environment;
  return host.run(command, { cwd: checkout.directory, env, timeoutSeconds });
}

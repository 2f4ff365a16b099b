import type { Secret } from '../../notification/secret.ts';
import { environmentNames } from './sources.ts';

export type Environment = Readonly<Record<string, string>>;

/**
 * What commands may see of our own environment: neither git's variables (a deploy started from a hook inherits
 * `GIT_DIR`, and would reset another repository), nor our settings, nor any variable that holds one of our secrets.
 */
export function commandEnvironment(environment: Environment, secrets: readonly Secret[]): Environment {
  const values = secrets.map((secret) => secret.reveal());
  const kept = Object.entries(environment).filter(
    ([name, value]) =>
      !(name in environmentNames) &&
      (!name.startsWith('GIT_') || isTransport(name)) &&
      !values.some((secret) => value.includes(secret)),
  );
  return Object.fromEntries(kept);
}

/** For git's own commands: nothing is asked of a person, messages are English. `sshCommand` is the checkout's own (`core.sshCommand`). */
export function gitEnvironment(environment: Environment, sshCommand = 'ssh'): Environment {
  return {
    ...environment,
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: 'true',
    SSH_ASKPASS: 'true',
    SSH_ASKPASS_REQUIRE: 'never',
    GIT_SSH_COMMAND: `${environment.GIT_SSH_COMMAND ?? sshCommand} ${sshOptions}`,
  };
}

/** What tells git how to reach the remote, and nothing about which repository it works on. */
function isTransport(name: string): boolean {
  return name === 'GIT_SSH_COMMAND' || name.startsWith('GIT_SSL_') || name.startsWith('GIT_PROXY_SSL_');
}

/** No question is ever asked, and a dead connection is given up after 10 s, a silent one after 60 s (ssh_config(5)). */
const sshOptions = '-o BatchMode=yes -o ConnectTimeout=10 -o ServerAliveInterval=15 -o ServerAliveCountMax=4';

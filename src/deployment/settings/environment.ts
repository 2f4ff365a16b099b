import type { Secret } from '../../notification/secret.ts';
import { environmentNames } from './sources.ts';

export type Environment = Readonly<Record<string, string>>;

/**
 * The part of holdfast's environment that its commands get: without git's variables (a deploy started from a hook
 * inherits `GIT_DIR`, and would reset another repository; docs/facts/git.md, "Environment"), settings, and variables
 * that hold a secret.
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

/**
 * The environment of git: it never prompts, and its messages are English. `sshCommand` is the checkout's
 * `core.sshCommand`.
 */
export function gitEnvironment(environment: Environment, sshCommand = 'ssh'): Environment {
  return {
    ...environment,
    LC_ALL: 'C',
    // The commit is what origin has, whatever somebody has put in its place here (git-replace(1)).
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: 'true',
    SSH_ASKPASS: 'true',
    SSH_ASKPASS_REQUIRE: 'never',
    GIT_SSH_COMMAND: `${environment.GIT_SSH_COMMAND ?? sshCommand} ${sshOptions}`,
  };
}

/** Whether the variable only tells git how to reach the remote, and not which repository to work on. */
function isTransport(name: string): boolean {
  return name === 'GIT_SSH_COMMAND' || name.startsWith('GIT_SSL_') || name.startsWith('GIT_PROXY_SSL_');
}

/**
 * ssh never prompts, gives up a connection attempt after 10 s and a silent connection after 4 × 15 s (ssh_config(5)).
 */
const sshOptions = '-o BatchMode=yes -o ConnectTimeout=10 -o ServerAliveInterval=15 -o ServerAliveCountMax=4';

import type { Command, CommandResult, Host } from '../host/host.ts';
import { remoteScript } from './remote-script.ts';
import type { Server } from './server.ts';

/** How servers are reached. */
export interface Remote {
  readonly host: Host;
  /** The whole environment of ssh and of the commands around a server. */
  readonly environment: Readonly<Record<string, string>>;
  readonly sshCommand: string;
}

/** ssh(1): its own trouble; also where the remote program was ended by a signal. */
const ofSsh = 255;

/**
 * ssh asks nobody, gives up a connection attempt after 10 s and a silent connection after 4 × 15 s. What the ssh
 * command says itself wins (ssh_config(5)).
 */
const options = ['BatchMode=yes', 'ConnectTimeout=10', 'ServerAliveInterval=15', 'ServerAliveCountMax=4'];

/** Runs the lines on the server, by the system's OpenSSH with its configuration, agent and known hosts. */
export function onServer(
  { host, environment, sshCommand }: Remote,
  server: Server,
  lines: readonly string[],
  timeoutSeconds: number,
): Promise<CommandResult> {
  // A shell reads the command and gets the words apart, as git does with GIT_SSH_COMMAND.
  const command: Command = ['sh', '-c', `${sshCommand} "$@"`, 'ssh', ...sshWords(server)];
  return host.run(command, { env: environment, stdin: remoteScript(lines), timeoutSeconds });
}

function sshWords({ user, host, port }: Server): readonly string[] {
  return [
    '-T',
    ...options.flatMap((option) => ['-o', option]),
    ...(user === undefined ? [] : ['-l', user]),
    ...(port === undefined ? [] : ['-p', String(port)]),
    '--',
    host,
    'sh',
  ];
}

/** Whether the connection ended, and with it the knowledge of what runs there. */
export function isCut({ exitCode, timedOut }: CommandResult): boolean {
  return exitCode === ofSsh || timedOut;
}

/** Every line of the output that is a JSON object. A login may print lines of its own. */
export function documentsIn({ stdout }: CommandResult): readonly Readonly<Record<string, unknown>>[] {
  return stdout.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    try {
      return [JSON.parse(line)];
    } catch {
      // A cut-off line.
      return [];
    }
  });
}

/** The mistakes of the program's document, else the last line of the program or of ssh, without its full stop. */
export function saidBy(answer: CommandResult): string {
  const { mistakes } = documentsIn(answer).find((one) => Array.isArray(one.mistakes)) ?? {};
  const last = answer.stderr.trimEnd().split('\n').at(-1)?.trim();
  const said = (mistakes as readonly string[] | undefined)?.join(' ') ?? (last === '' ? undefined : last);
  return said?.replace(/\.$/, '') ?? `it ended with ${answer.exitCode} and said nothing`;
}

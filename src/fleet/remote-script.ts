import { kebab } from './read-servers.ts';
import type { Server } from './server.ts';

/** The commands of the program that run on a server. */
export type RemoteCommand = 'deploy' | 'rollback' | 'status' | 'show' | 'doctor';

const place = ['appDir', 'logFile'];
const checks = ['healthUrl', 'healthAttempts', 'healthDeadline', 'healthConsecutive', 'healthTimeout', 'baseline'];
const both = [...place, 'mode', 'branch', ...checks, 'fastcgi', 'probeRate', 'preset', 'subfolder', 'variant'];

/** Which of the options that are settings each command knows, by their names in camel case. */
export const knownOptions: Readonly<Record<RemoteCommand, readonly string[]>> = {
  deploy: [...both, 'clean', 'backupDir', 'clone', 'ifChanged', 'again', 'message', 'commit'],
  rollback: [...both, 'message'],
  status: [...place, 'mode', 'preset'],
  show: place,
  doctor: both,
};

/**
 * A script that `sh` reads from its standard input, so that no word of it is in a list of processes before it runs. It
 * is one function: of a script that a lost connection has cut off nothing runs.
 */
export function remoteScript(lines: readonly string[]): string {
  return `run() {\n${lines.join('\n')}\n}\nrun\n`;
}

/** The line that runs a command of the server's program with the options of that server that this command knows. */
export function programLine(server: Server, command: RemoteCommand, more: readonly string[] = []): string {
  const config = server.config === undefined ? [] : [`--config=${server.config}`];
  const options = Object.entries(server.options)
    .filter(([flag]) => knownOptions[command].includes(flag))
    .map(([flag, value]) => (value === '' ? `--${kebab(flag)}` : `--${kebab(flag)}=${value}`));
  return `${[...server.program, '--json', ...config, command, ...options, ...more].map(quoted).join(' ')} </dev/null`;
}

export const versionLine = ({ program }: Server): string =>
  `${[...program, '--version'].map(quoted).join(' ')} </dev/null`;

/** The seconds of the server's clock. */
export const clockLine = 'date +%s';

/** `EX_TEMPFAIL` of sysexits.h: the script has arrived too late. */
export const tooLate = 75;

/** After a network failure a script may be delivered when nobody waits for its end any more: it then does nothing. */
export const notAfterLine = (serverSeconds: number): string =>
  `[ "$(date +%s)" -le ${Math.floor(serverSeconds)} ] || exit ${tooLate}`;

/** For a POSIX shell (POSIX, 2.2.2). */
function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

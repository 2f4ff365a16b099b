import type { Files } from '../../host/host.ts';
import type { Performer } from '../record/performer.ts';
import type { Environment } from '../settings/environment.ts';
import { userName } from './user-name.ts';

/**
 * `userId` is that of the process. SUDO_USER is sudo's (sudo(8)), SSH_CONNECTION sshd's, the client's address first
 * (ssh(1)).
 */
export async function performerOf(files: Files, userId: number, environment: Environment): Promise<Performer> {
  const { SUDO_USER = '', SSH_CONNECTION = '' } = environment;
  const [client = ''] = SSH_CONNECTION.split(' ');
  return {
    user: await userName(files, userId),
    sudoUser: nameIn(SUDO_USER, /^[\w.@\\-]{1,64}\$?$/),
    sshFrom: nameIn(client, /^[\w.:%-]{1,64}$/),
  };
}

/**
 * Both variables are what the caller of the command says: only what has the form of a name or an address is written
 * down.
 */
function nameIn(text: string, form: RegExp): string | null {
  return form.test(text) ? text : null;
}

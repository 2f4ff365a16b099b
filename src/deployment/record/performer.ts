/**
 * Who started a command: the user of the process, the one who called sudo, and the address that the SSH connection came
 * from.
 */
export interface Performer {
  readonly user: string;
  readonly sudoUser: string | null;
  readonly sshFrom: string | null;
}

/** For people: `alice by sudo as deploy from 203.0.113.7`. */
export function performerText({ user, sudoUser, sshFrom }: Performer): string {
  const who = sudoUser === null ? user : `${sudoUser} by sudo as ${user}`;
  return sshFrom === null ? who : `${who} from ${sshFrom}`;
}

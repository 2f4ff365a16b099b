import type { ServersSettings } from '../deployment/settings/servers.ts';
import type { Signal } from '../host/host.ts';
import type { Remote } from './remote.ts';
import type { RemoteCommand } from './remote-script.ts';

/** What a command for many servers works with. */
export interface Fleet {
  readonly remote: Remote;
  readonly settings: ServersSettings;
  /** Of this program. */
  readonly version: string;
  readonly onFact: (fact: FleetFact) => void;
  /** Whether the servers are only looked at. */
  readonly dryRun: boolean;
  /** The signal that came, after which no server is begun. */
  readonly received: () => Signal | undefined;
}

/** What happens on a server, as it happens. */
export interface FleetFact {
  /** As the server was written. */
  readonly server: string;
  readonly phase: Phase;
  /** A clause that goes after the name of the server and a colon. */
  readonly said: string;
}
export type Phase =
  | 'checking'
  | 'ready'
  | 'draining'
  | 'running'
  | 'asking'
  | 'restoring'
  | 'undoing'
  | 'done'
  | 'failed';

/** The command that is given to every server, and the words after it. */
export interface Task {
  readonly command: Extract<RemoteCommand, 'deploy' | 'rollback'>;
  readonly words: readonly string[];
}

/** Connections at once: each is a process of some MiB here, and a login there. */
export const mostConnections = 32;

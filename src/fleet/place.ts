import type { Checked } from './check-server.ts';
import type { ServerDocument } from './document.ts';
import type { Server } from './server.ts';

/** A server that may start. */
export interface ReadyServer {
  readonly server: Server;
  readonly checked: Extract<Checked, { clockAheadSeconds: number }>;
}

/** What is known of every server so far, in the order of the list. */
export type Documents = Map<Server, ServerDocument>;

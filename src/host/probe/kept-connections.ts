import type { Socket } from 'node:net';

/** The idle connections of the `reused` probes, one a target. They do not keep the process alive. */
export interface KeptConnections {
  /** Takes the target's connection out; undefined if there is none or the peer has closed it. */
  readonly take: (target: string) => Socket | undefined;
  readonly keep: (target: string, socket: Socket) => void;
}

export function keptConnections(): KeptConnections {
  const idle = new Map<string, { readonly socket: Socket; readonly drop: () => void }>();
  const release = (target: string): Socket | undefined => {
    const kept = idle.get(target);
    idle.delete(target);
    if (kept !== undefined) for (const event of endings) kept.socket.off(event, kept.drop);
    return kept?.socket;
  };
  return {
    take: (target) => release(target)?.ref(),
    keep: (target, socket) => {
      release(target)?.destroy();
      const drop = () => release(target)?.destroy();
      idle.set(target, { socket, drop });
      for (const event of endings) socket.on(event, drop);
      socket.unref();
    },
  };
}

/** Any event on an idle connection ends it, because no request is under way. */
const endings = ['data', 'end', 'error', 'close'] as const;

import type { Passing } from '../../data-plane/front-door.ts';
import type { Container } from '../../machines/containers.ts';
import { draw } from '../../time/delays.ts';

/** From which control plane a proxy has its configuration, or since when from none. */
export interface Link {
  /** The container of the control plane. */
  readonly containerId?: string;
  /** While the proxy has none: what it knew then is all that it knows. Epoch milliseconds. */
  readonly lostAt?: number;
  readonly reconnectsAt?: number;
  /** When the proxy was last seen to be connected, epoch milliseconds. */
  readonly seenAt: number;
}

type Seen = Pick<Passing, 'machines' | 'now' | 'random' | 'delays'>;

/** The link at this moment, where it was `link` before; a proxy that starts connects at once. */
export function linkNow(passing: Seen, link: Link | undefined, proxy: Container): Link {
  const at = passing.now();
  if (link === undefined) return connected(passing, { lostAt: proxy.listensAt, reconnectsAt: at, seenAt: at });
  if (link.containerId === undefined) return connected(passing, link);
  const server = passing.machines.container(link.containerId);
  const closesAt = server === undefined ? link.seenAt : (server.closesAt ?? Number.POSITIVE_INFINITY);
  if (at < closesAt) return { ...link, seenAt: at };
  const lost = { lostAt: closesAt, seenAt: closesAt };
  return connected(passing, {
    ...lost,
    reconnectsAt: closesAt + 1000 * draw(passing.delays.envoyReconnects, passing.random),
  });
}

function connected({ machines, now }: Seen, link: Link): Link {
  const at = now();
  if (at < (link.reconnectsAt ?? at)) return link;
  const [server] = machines
    .running('envoy-gateway')
    .filter(({ listensAt, closesAt = Number.POSITIVE_INFINITY }) => listensAt <= at && at < closesAt);
  return server === undefined ? link : { containerId: server.id, seenAt: at };
}

/** The instant of the configuration that the proxy has, epoch milliseconds. */
export const configuredAt = ({ lostAt }: Link, at: number): number => lostAt ?? at;

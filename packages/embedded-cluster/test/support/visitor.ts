import type { Exchange } from '../../src/data-plane/data-plane.ts';
import type { Connection } from '../../src/data-plane/dial.ts';
import type { VirtualClock } from '../../src/time/clock.ts';
import type { World } from '../../src/world/world.ts';

/** One request of a visitor. */
export interface Visit extends Pick<Exchange, 'error' | 'phases' | 'seconds'> {
  /** When it was started, epoch milliseconds. */
  readonly at: number;
  /** 0 without a response. */
  readonly status: number;
  /** Whether the page says that it is nginx's. */
  readonly isWelcome: boolean;
}

export type Visiting = (url?: string) => Promise<Visit>;

/**
 * A visitor who asks for the application's page, with ten seconds of patience; one that keeps connections uses the last
 * one again.
 */
export function visitor(clock: VirtualClock, world: World, keeps: boolean): Visiting {
  let kept: Connection | undefined;
  return async (url = 'http://app.example.com/') => {
    const at = clock.wallAt();
    const asked = kept;
    kept = undefined;
    const { response, error, phases, seconds, connection } = await world
      .dataPlane()
      .get(new URL(url), { timeoutSeconds: 10, kept: asked });
    if (keeps) kept = connection;
    const isWelcome = response?.body.includes('Welcome to nginx!') === true;
    return { at, status: response?.status ?? 0, isWelcome, phases, seconds, ...(error !== undefined && { error }) };
  };
}

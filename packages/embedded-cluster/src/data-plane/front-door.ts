import type { Resource } from '../kubernetes/kinds.ts';
import type { Container } from '../machines/containers.ts';
import type { Program } from '../machines/images.ts';
import type { Clock } from '../outside/clock.ts';
import type { Setup } from '../setup/setup.ts';
import type { FrontDoorName } from '../setup/surroundings.ts';
import type { Answering, Response } from './application.ts';
import type { Connection, Path } from './dial.ts';
import type { RequestDeadline } from './request-deadline.ts';
import type { Request } from './routes.ts';

/**
 * What leads visitors in: proxies in the cluster, and what tells them where to send. A cluster has one, which serves
 * the Ingresses of class nginx.
 */
export interface FrontDoor {
  readonly name: FrontDoorName;
  readonly images: readonly string[];
  /** What is installed before a validation. */
  readonly objects: (setup: Pick<Setup, 'starting' | 'surroundings'>) => readonly Resource[];
  /** The program of its proxies. */
  readonly program: Program['name'];
  /** The program that writes the address into Ingresses. */
  readonly controlPlane: Program['name'];
  /** Its proxies in one cluster, with what they remember. */
  readonly open: () => Proxies;
}

export interface Proxies {
  /** The response of the proxy that accepted the connection; undefined when the deadline came first. */
  answer(
    passing: Passing,
    connection: Connection,
    request: Request,
    deadline: RequestDeadline,
  ): Promise<Response | undefined>;
  /** What would happen to new requests that this proxy gets now. */
  truth(path: Path & Pick<Answering, 'delays'>, container: Container, request: Request): Truth;
}

/** What a proxy needs to pass a request on. */
export interface Passing extends Answering {
  readonly clock: Pick<Clock, 'monotonicSeconds' | 'sleep'>;
}

/**
 * What would happen to new requests at this instant, over all targets and endpoints that could be picked: shares in [0,
 * 1].
 */
export interface Truth {
  /** Refused, dropped, or answered 5xx. */
  readonly failing: number;
  /** Answered, but only after a try that nothing came back from. */
  readonly slow: number;
}

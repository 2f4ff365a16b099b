import { programOf } from '../machines/images.ts';
import { answer, type Response } from './application.ts';
import type { Connection } from './dial.ts';
import { type Proxying, proxy } from './ingress-proxy.ts';
import type { RequestDeadline } from './request-deadline.ts';
import type { Request } from './upstream.ts';

/** The response of the process that accepted the connection; undefined when the deadline came first. */
export function serve(
  proxying: Proxying,
  connection: Connection,
  request: Request,
  deadline: RequestDeadline,
): Promise<Response | undefined> {
  const { container } = connection;
  return programOf(container.image).name === 'ingress-nginx'
    ? proxy(proxying, connection, request, deadline)
    : answer(proxying, container, request, deadline);
}

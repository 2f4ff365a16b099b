import type { FrontDoor } from '../../data-plane/front-door.ts';
import { afterOneTry } from '../after-one-try.ts';
import { configuredAt, linkNow } from './configuration.ts';
import { images, objects } from './objects.ts';
import { type Envoys, proxy, upstreamOf } from './proxy.ts';

/** Envoy Gateway with the defaults of its chart, as measured (docs/front-doors.md, "Envoy Gateway"). */
export const envoyGateway: FrontDoor = {
  name: 'envoy-gateway',
  images,
  objects,
  program: 'envoy',
  controlPlane: 'envoy-gateway',
  open: () => {
    const envoys: Envoys = new Map();
    return {
      answer: (passing, connection, request, deadline) => proxy(passing, envoys, connection, request, deadline),
      truth: (path, container, request) => {
        const link = linkNow(path, envoys.get(container.id)?.link, container);
        return afterOneTry(path, upstreamOf(path, configuredAt(link, path.now()), container, request));
      },
    };
  },
};

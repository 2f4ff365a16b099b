import type { FrontDoor } from '../data-plane/front-door.ts';
import type { FrontDoorName } from '../setup/surroundings.ts';
import { envoyGateway } from './envoy-gateway/envoy-gateway.ts';
import { ingressNginx } from './ingress-nginx/ingress-nginx.ts';
import { traefik } from './traefik/traefik.ts';

/** What can lead visitors in. */
export const frontDoors: Readonly<Record<FrontDoorName, FrontDoor>> = {
  'ingress-nginx': ingressNginx,
  'envoy-gateway': envoyGateway,
  traefik,
};

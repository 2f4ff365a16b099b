import { keyOf, placeOf } from '../objects/cache.ts';
import { isOfNginx } from '../objects/ingress-class.ts';
import { sameJson } from '../objects/json.ts';
import { loop } from '../reconciling/loop.ts';
import type { Controller } from '../setup/site.ts';

/** ingress-nginx copies the address of its Service into the status of its Ingresses (--publish-service). */
export function ingressStatus(publishedServiceKey: string): Controller {
  return loop({
    name: 'ingress-status',
    period: 'ingressStatus',
    pass: async (site) => {
      const address = site.cache.get('Service', publishedServiceKey)?.status?.loadBalancer?.ingress ?? [];
      for (const ingress of [...site.cache.list('Ingress')].filter(isOfNginx)) {
        const loadBalancer = { ingress: address };
        if (sameJson(ingress.status?.loadBalancer, loadBalancer)) continue;
        const value = { status: { loadBalancer } };
        await site.cluster.patch(
          'Ingress',
          placeOf(keyOf(ingress)),
          { type: 'merge', value },
          { subresource: 'status' },
        );
      }
    },
  });
}

import type { Ingress } from '../kubernetes/resources.ts';

/** Whether ingress-nginx serves the Ingress: by `spec.ingressClassName`, else by the annotation that preceded it. */
export function isOfNginx({ metadata, spec }: Ingress): boolean {
  return (spec.ingressClassName ?? metadata.annotations?.['kubernetes.io/ingress.class']) === 'nginx';
}

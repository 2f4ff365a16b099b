import type { StoredObject } from '../../objects/objects.ts';
import type { Api } from '../api.ts';

const isDefault = 'ingressclass.kubernetes.io/is-default-class';
const older = 'kubernetes.io/ingress.class';

/**
 * The admission plugin DefaultIngressClass: a new Ingress that names no class gets the default one, of several the
 * newest (https://kubernetes.io/docs/concepts/services-networking/ingress/#default-ingress-class).
 */
export function withDefaultIngressClass(
  ingress: StoredObject,
  before: StoredObject | undefined,
  { objects }: Api,
): StoredObject {
  const { spec, metadata } = ingress;
  if (before !== undefined || spec?.ingressClassName !== undefined || metadata.annotations?.[older] !== undefined)
    return ingress;
  const classes = objects.list('IngressClass.networking.k8s.io');
  const [newest] = classes
    .filter((one) => one.metadata.annotations?.[isDefault] === 'true')
    .toSorted((a, b) => (createdAt(a) < createdAt(b) ? 1 : -1));
  if (newest === undefined) return ingress;
  return { ...ingress, spec: { ...spec, ingressClassName: newest.metadata.name } };
}

const createdAt = ({ metadata }: StoredObject): string => String(metadata.creationTimestamp ?? '');

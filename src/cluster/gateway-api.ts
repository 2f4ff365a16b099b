import type { ObjectPlace } from './kinds.ts';
import type { Condition, Metadata } from './metadata.ts';
import type { TypeMeta } from './objects.ts';

/**
 * Where the API server has the kinds of the Gateway API (gateway-api.sigs.k8s.io, v1), if its definitions are there.
 */
export const gatewayPlaces = {
  HTTPRoute: {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    plural: 'httproutes',
    namespaced: true,
  },
  Gateway: { apiVersion: 'gateway.networking.k8s.io/v1', kind: 'Gateway', plural: 'gateways', namespaced: true },
} as const satisfies Readonly<Record<string, ObjectPlace>>;

/** That of an object of these kinds, whether or not a cluster serves them. */
export const gatewayPlaceOf = ({ apiVersion, kind }: TypeMeta): ObjectPlace | undefined =>
  Object.values(gatewayPlaces).find((place) => place.apiVersion === apiVersion && place.kind === kind);

/** gateway.networking.k8s.io HTTPRoute, as far as it says where visitors go, and whether its Gateway lets them. */
export interface HttpRoute {
  readonly apiVersion: string;
  readonly kind: 'HTTPRoute';
  readonly metadata: Metadata;
  readonly spec?: {
    readonly hostnames?: readonly string[];
    readonly parentRefs?: readonly ParentReference[];
    readonly rules?: readonly {
      readonly matches?: readonly { readonly path?: { readonly type?: string; readonly value?: string } }[];
      readonly backendRefs?: readonly BackendReference[];
    }[];
  };
  readonly status?: {
    /** One of each parent and controller. */
    readonly parents?: readonly {
      readonly parentRef: ParentReference;
      readonly conditions?: readonly Condition[];
    }[];
  };
}
export interface ParentReference {
  /** A Gateway if it is absent. */
  readonly kind?: string;
  /** The route's own if it is absent. */
  readonly namespace?: string;
  readonly name: string;
  readonly sectionName?: string;
}
export interface BackendReference {
  readonly kind?: string;
  readonly namespace?: string;
  readonly name: string;
  readonly port?: number;
  /** 1 if it is absent; with 0 it gets nothing. */
  readonly weight?: number;
}

/**
 * gateway.networking.k8s.io Gateway, as far as its listeners decide host and protocol, and its addresses where visitors
 * come in.
 */
export interface Gateway {
  readonly apiVersion: string;
  readonly kind: 'Gateway';
  readonly metadata: Metadata;
  readonly spec?: {
    readonly listeners?: readonly { readonly name: string; readonly protocol: string; readonly hostname?: string }[];
  };
  readonly status?: { readonly addresses?: readonly { readonly value: string }[] };
}

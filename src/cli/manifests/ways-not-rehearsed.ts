import { isCanary, nginxAnnotation } from '../../validation/manifests/ingress-nginx-annotations.ts';
import type { NotRehearsed } from '../../validation/record/front-door-rehearsed.ts';
import { classOf, frontDoorOf } from './front-door.ts';
import type { Located } from './located.ts';

/** The scenarios that end pods, or take their nodes away. */
export const endingPods: readonly string[] = [
  'scale-down',
  'single-replica',
  'node-drain',
  'instance-kill',
  'disruption-budget',
  'consolidation',
];
export const ofTheDoor: readonly string[] = [...endingPods, 'load', 'ingress-controller-failure'];

/** The ways in that are served otherwise than in a rehearsal, and what of them it does not heed. */
export const waysNotRehearsed = (located: readonly Located[]): readonly NotRehearsed[] =>
  located.filter(({ standsFor }) => standsFor === undefined).flatMap((one) => wayNotRehearsed(one, located));

function wayNotRehearsed(one: Located, located: readonly Located[]): readonly NotRehearsed[] {
  const door = frontDoorOf(one, located);
  if (door === undefined) return [];
  if (door.name !== undefined) return [...classAssumed(one), ...(door.name === 'ingress-nginx' ? notHeeded(one) : [])];
  const because = ` is served by ${door.called}, which is not rehearsed as it behaves: ingress-nginx stands in for it`;
  return [told(one, [], because, ofTheDoor)];
}

function classAssumed(one: Located): readonly NotRehearsed[] {
  if (one.object.kind !== 'Ingress' || classOf(one.object) !== undefined) return [];
  return [told(one, ['spec'], ' names no class: ingress-nginx is taken for the cluster’s default', ofTheDoor)];
}

export function told(
  one: Located,
  field: Parameters<Located['lineOf']>[0],
  because: string,
  concerns: readonly string[],
): NotRehearsed {
  const { kind, metadata } = one.object;
  return { at: { file: one.file, line: one.lineOf(field) }, what: `${kind} ${metadata.name}${because}`, concerns };
}

/** Annotations of ingress-nginx that change which pod is asked, how often, or whether at all (docs/front-doors.md). */
const withoutEffect: Readonly<Record<string, string>> = {
  affinity: 'every request may go to any pod',
  'affinity-mode': 'every request may go to any pod',
  'upstream-hash-by': 'every request may go to any pod',
  'load-balance': 'pods take turns',
  'service-upstream': 'the controller sends to pods, not to the Service',
  'proxy-next-upstream-timeout': 'tries end by their number alone',
  'limit-connections': 'no request is refused for their number',
  'limit-rps': 'no request is refused for their number',
  'limit-rpm': 'no request is refused for their number',
  'auth-url': 'every request is let through',
  'custom-http-errors': 'the error page is the controller’s own',
  'default-backend': 'a Service without pods is answered with 503',
  'server-snippet': 'it is not read',
  'configuration-snippet': 'it is not read',
  'mirror-target': 'nothing is mirrored',
};

function notHeeded(one: Located): readonly NotRehearsed[] {
  const { annotations = {} } = one.object.metadata;
  const field = (key: string) => ['metadata', 'annotations', key];
  if (one.object.kind === 'Ingress' && isCanary(annotations)) {
    const key = nginxAnnotation('canary');
    return [told(one, field(key), `: ${canaryText(annotations)}: the stable one is measured alone`, [])];
  }
  return Object.entries(withoutEffect).flatMap(([name, instead]) => {
    const key = nginxAnnotation(name);
    return annotations[key] === undefined
      ? []
      : [told(one, field(key), `: ${name} has no effect in a rehearsal: ${instead}`, ofTheDoor)];
  });
}

function canaryText(annotations: Readonly<Record<string, string>>): string {
  const of = (name: string) => annotations[nginxAnnotation(name)];
  const header = of('canary-by-header') ?? of('canary-by-cookie');
  if (header !== undefined) return `it is a canary, to which visitors with ${header} go`;
  return `it is a canary, to which ${of('canary-weight') ?? '0'} of ${of('canary-weight-total') ?? '100'} visitors go`;
}

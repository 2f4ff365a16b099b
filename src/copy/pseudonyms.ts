import { createHash } from 'node:crypto';
import { type Copy, ofKind } from './copy.ts';

/** A name instead of a name: the same for the same text, in every copy. */
export type Pseudonym = (text: string) => string;

/** Names that every cluster has. */
const everywhere = new Set([
  ...['default', 'kube-system', 'kube-public', 'kube-node-lease', 'default-scheduler'],
  ...['system-node-critical', 'system-cluster-critical'],
]);

const hashed: Pseudonym = (text) => `x${createHash('sha256').update(text).digest('hex').slice(0, 10)}`;

/**
 * The pseudonyms of a copy. What a controller has made of a name stays made of its pseudonym: `web-7d9f` of `web`, and
 * `data-db-0` of the claim `data` of `db`.
 */
export function pseudonymsOf(copy: Pick<Copy, 'objects'>): Pseudonym {
  const owners = ['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob'] as const;
  const names = new Set(owners.flatMap((kind) => ofKind(copy, kind).map(({ metadata }) => metadata.name)));
  const claims = new Map<string, string>(
    ofKind(copy, 'StatefulSet').flatMap(({ metadata: { name }, spec }) =>
      (spec.volumeClaimTemplates ?? []).map((claim) => {
        const of = claim.metadata.name ?? '';
        return [`${of}-${name}`, `${hashed(of)}-${hashed(name)}`] as const;
      }),
    ),
  );
  const pseudonym: Pseudonym = (text) => {
    if (text === '' || everywhere.has(text)) return text;
    const [, base = '', suffix = ''] = /^(.+)-([a-z0-9]+)$/.exec(text) ?? [];
    const claim = claims.get(base);
    if (claim !== undefined) return `${claim}-${suffix}`;
    return names.has(base) ? `${pseudonym(base)}-${suffix}` : hashed(text);
  };
  return pseudonym;
}

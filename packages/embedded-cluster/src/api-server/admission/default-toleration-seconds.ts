import type { Json } from '../../objects/json.ts';

/**
 * The admission plugin DefaultTolerationSeconds: a pod without tolerations of these two taints tolerates each for five
 * minutes.
 */
export function withDefaultTolerations(spec: Json): Json {
  const own = (spec.tolerations ?? []) as readonly Json[];
  const missing = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].filter(
    (key) => !own.some((toleration) => tolerates(toleration, key)),
  );
  if (missing.length === 0) return spec;
  const added = missing.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }));
  return { ...spec, tolerations: [...own, ...added] };
}

function tolerates(toleration: Json, key: string): boolean {
  const { key: tolerated, effect } = toleration;
  return (
    (tolerated === key || tolerated === undefined || tolerated === '') &&
    (effect === 'NoExecute' || effect === undefined)
  );
}

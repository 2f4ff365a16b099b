import { isJson } from '../../objects/json.ts';
import { type Strategy, withDefaults, withMember } from './strategy.ts';

const defaultExpireAfter = '720h';

/**
 * karpenter.sh/v1 NodePool: the defaults of its CustomResourceDefinition (karpenter, pkg/apis/crds), also for those
 * that are written in process. What it refuses over HTTP: `custom-resources`.
 */
export const nodePool: Strategy = {
  complete: (object) =>
    withMember(object, 'spec', (spec) =>
      isJson(spec)
        ? withMember(
            withMember(
              withDefaults(spec, { disruption: { consolidateAfter: '0s' } }),
              'disruption',
              completeDisruption,
            ),
            'template',
            completeTemplate,
          )
        : spec,
    ),
};

/** karpenter.sh/v1 NodeClaim. */
export const nodeClaim: Strategy = {
  complete: (object) =>
    withMember(object, 'spec', (spec) =>
      isJson(spec) ? withDefaults(spec, { expireAfter: defaultExpireAfter }) : spec,
    ),
};

function completeDisruption(disruption: unknown): unknown {
  if (!isJson(disruption)) return disruption;
  return withDefaults(disruption, {
    budgets: [{ nodes: '10%' }],
    consolidationPolicy: 'WhenEmptyOrUnderutilized',
  });
}

function completeTemplate(template: unknown): unknown {
  if (!isJson(template)) return template;
  return withMember(template, 'spec', (spec) =>
    isJson(spec) ? withDefaults(spec, { expireAfter: defaultExpireAfter }) : spec,
  );
}

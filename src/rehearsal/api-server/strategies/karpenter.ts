import { isJson, type Json, sameJson } from '../../objects/json.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import { type Strategy, withDefaults, withMember } from './strategy.ts';

const defaultExpireAfter = '720h';

/** karpenter.sh/v1 NodePool: the defaults and rules of its CustomResourceDefinition (karpenter, pkg/apis/crds). */
export const nodePool: Strategy = {
  firstStatus: () => ({}),
  complete: (object) =>
    withMember(object, 'spec', (spec) =>
      isJson(spec)
        ? withMember(
            withMember(withDefaults(spec, { disruption: {} }), 'disruption', completeDisruption),
            'template',
            completeTemplate,
          )
        : spec,
    ),
  validate: (object, before) => [
    ...disruptionCauses(at(object.spec, 'disruption')),
    ...templateCauses(at(at(object.spec, 'template'), 'spec'), at(at(before?.spec, 'template'), 'spec')),
  ],
};

/** karpenter.sh/v1 NodeClaim: its spec is immutable. */
export const nodeClaim: Strategy = {
  firstStatus: () => ({}),
  complete: (object) =>
    withMember(object, 'spec', (spec) =>
      isJson(spec) ? withDefaults(spec, { expireAfter: defaultExpireAfter }) : spec,
    ),
  validate: ({ spec }, before) =>
    before === undefined || sameJson(spec, before.spec)
      ? []
      : [{ ...fieldCauses.invalid('spec', 'object', 'spec is immutable') }],
};

function completeDisruption(disruption: unknown): unknown {
  if (!isJson(disruption)) return disruption;
  return withDefaults(disruption, {
    budgets: [{ nodes: '10%' }],
    consolidateAfter: '0s',
    consolidationPolicy: 'WhenEmptyOrUnderutilized',
  });
}

function completeTemplate(template: unknown): unknown {
  if (!isJson(template)) return template;
  return withMember(template, 'spec', (spec) =>
    isJson(spec) ? withDefaults(spec, { expireAfter: defaultExpireAfter }) : spec,
  );
}

const policies = ['WhenEmpty', 'WhenEmptyOrUnderutilized', 'Balanced'];
const durationPattern = '^(([0-9]+(s|m|h))+|Never)$';
const nodesPattern = '^((100|[0-9]{1,2})%|[0-9]+)$';

function disruptionCauses(disruption: Json): readonly FieldCause[] {
  const { consolidationPolicy, consolidateAfter, budgets } = disruption;
  return [
    ...(policies.includes(String(consolidationPolicy))
      ? []
      : [fieldCauses.unsupported('spec.disruption.consolidationPolicy', consolidationPolicy, policies)]),
    ...patternCauses('spec.disruption.consolidateAfter', consolidateAfter, durationPattern),
    ...((budgets ?? []) as readonly Json[]).flatMap((budget, index) => budgetCauses(budget, index)),
  ];
}

function budgetCauses({ nodes, schedule, duration }: Json, index: number): readonly FieldCause[] {
  const field = `spec.disruption.budgets[${index}]`;
  return [
    ...patternCauses(`${field}.nodes`, nodes, nodesPattern),
    ...((schedule === undefined) === (duration === undefined)
      ? []
      : [fieldCauses.invalid('spec.disruption.budgets', 'array', "'schedule' must be set with 'duration'")]),
  ];
}

function patternCauses(field: string, value: unknown, pattern: string): readonly FieldCause[] {
  if (typeof value === 'string' && new RegExp(pattern).test(value)) return [];
  return [fieldCauses.invalid(field, value, `${field} in body should match '${pattern}'`)];
}

function templateCauses(spec: Json, before: Json): readonly FieldCause[] {
  const field = 'spec.template.spec.nodeClassRef';
  const [reference, old] = [at(spec, 'nodeClassRef'), at(before, 'nodeClassRef')];
  const missing = ['group', 'kind', 'name'].filter((key) => reference[key] === undefined || reference[key] === '');
  const changed = ['group', 'kind'].filter((key) => old[key] !== undefined && reference[key] !== old[key]);
  return [
    ...missing.map((key) => fieldCauses.required(`${field}.${key}`)),
    ...changed.map((key) => fieldCauses.invalid(field, 'object', `nodeClassRef.${key} is immutable`)),
    ...(Array.isArray(spec.requirements) ? [] : [fieldCauses.required('spec.template.spec.requirements')]),
  ];
}

function at(object: unknown, key: string): Json {
  const member = isJson(object) ? object[key] : undefined;
  return isJson(member) ? member : {};
}

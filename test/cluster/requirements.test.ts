import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fulfils, requirementText } from '../../src/cluster/requirements.ts';
import type { Requirement } from '../../src/cluster/specs.ts';
import { nodeRequirements } from '../../src/validation/manifests/manifests.ts';

const right = {
  'kubernetes.io/arch': 'arm64',
  'kubernetes.io/os': 'linux',
  'karpenter.sh/capacity-type': 'on-demand',
  'karpenter.k8s.aws/instance-category': 'r',
  'karpenter.k8s.aws/instance-generation': '8',
};

test('a node of 2.2 fulfils every requirement, and each wrong label misses only its own', () => {
  assert.deepEqual(
    nodeRequirements.filter((requirement) => !fulfils(right, requirement)),
    [],
  );
  const wrong = { 'kubernetes.io/arch': 'amd64', 'kubernetes.io/os': 'windows', 'karpenter.sh/capacity-type': 'spot' };
  const more = { 'karpenter.k8s.aws/instance-category': 'm', 'karpenter.k8s.aws/instance-generation': '6' };
  for (const [key, value] of Object.entries({ ...wrong, ...more })) {
    const missed = nodeRequirements.filter((requirement) => !fulfils({ ...right, [key]: value }, requirement));
    assert.deepEqual(
      missed.map((requirement) => requirement.key),
      [key],
    );
    const { [key]: _, ...without } = right as Record<string, string>;
    assert.equal(nodeRequirements.filter((requirement) => !fulfils(without, requirement)).length, 1);
  }
});

test('generations are compared as numbers: 10 is greater than 6', () => {
  const generation = nodeRequirements.find(({ operator }) => operator === 'Gt') as Requirement;
  const of = (value: string) => fulfils({ [generation.key]: value }, generation);
  assert.deepEqual(['10', '7', '6', 'x', ''].map(of), [true, true, false, false, false]);
  assert.equal(requirementText(generation), 'karpenter.k8s.aws/instance-generation Gt 6');
});

test('each operator is the opposite of its opposite, with a label and without one', () => {
  const pairs = [
    ['In', 'NotIn'],
    ['Exists', 'DoesNotExist'],
  ] as const;
  const label = fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined });
  fc.assert(
    fc.property(label, fc.subarray(['a', 'b', 'c']), (value, values) => {
      const labels: Record<string, string> = value === undefined ? {} : { key: value };
      for (const [one, other] of pairs)
        assert.notEqual(
          fulfils(labels, { key: 'key', operator: one, values }),
          fulfils(labels, { key: 'key', operator: other, values }),
        );
    }),
  );
});

test('Gt, Gte, Lt and Lte compare numbers, and are never fulfilled without one', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer(), (value, bound) => {
      const is = (operator: Requirement['operator'], label = String(value)) =>
        fulfils({ key: label }, { key: 'key', operator, values: [String(bound)] });
      assert.deepEqual(
        [is('Gt'), is('Gte'), is('Lt'), is('Lte')],
        [value > bound, value >= bound, value < bound, value <= bound],
      );
      assert.deepEqual([is('Gt', 'x'), is('Gte', 'x'), is('Lt', 'x'), is('Lte', 'x')], [false, false, false, false]);
    }),
  );
});

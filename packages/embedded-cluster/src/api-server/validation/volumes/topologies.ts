import type { Json } from '../../../objects/json.ts';
import { type FieldCause, fieldCauses } from '../../refusals.ts';
import { qualifiedNameCauses, when } from '../formats.ts';
import { itemsOf } from '../pods/containers.ts';

/** storage.k8s.io/v1 StorageClass: where its volumes may be (kubernetes, pkg/apis/core/validation, ValidateTopologySelectorTerm). */
export function topologyCauses(topologies: readonly Json[]): readonly FieldCause[] {
  const seen: string[] = [];
  return topologies.flatMap(({ matchLabelExpressions }, index) => {
    const field = `allowedTopologies[${index}].matchLabelExpressions`;
    const expressions = itemsOf(matchLabelExpressions);
    const shown = JSON.stringify(expressions);
    const again = seen.includes(shown) || expressions.length === 0;
    seen.push(shown);
    const keys = expressions.map(({ key }) => key);
    return [
      ...expressions.flatMap((one, place) => [
        ...expressionCauses(one, `${field}[${place}]`),
        ...when(keys.indexOf(one.key) < place, fieldCauses.duplicate(`${field}[${place}].key`, one.key)),
      ]),
      ...when(again, fieldCauses.duplicate(field, '')),
    ];
  });
}

function expressionCauses({ key = '', values }: Json, field: string): readonly FieldCause[] {
  const list = Array.isArray(values) ? values : [];
  return [
    ...when(list.length === 0, fieldCauses.required(`${field}.values`)),
    ...list.flatMap((value, index) =>
      when(list.indexOf(value) < index, fieldCauses.duplicate(`${field}.values[${index}]`, value)),
    ),
    ...qualifiedNameCauses(`${field}.key`, String(key)),
  ];
}

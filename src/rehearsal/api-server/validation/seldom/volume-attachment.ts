import { isJson } from '../../../objects/json.ts';
import type { StoredObject } from '../../../objects/objects.ts';
import { type FieldCause, fieldCauses } from '../../refusals.ts';
import { immutable } from '../../strategies/validation.ts';

/** storage.k8s.io/v1 VolumeAttachment (kubernetes, pkg/apis/storage/validation, validateVolumeAttachmentSpec). */
export function attachmentCauses(object: StoredObject, before: StoredObject | undefined): readonly FieldCause[] {
  const { spec = {} } = object;
  const source = isJson(spec.source) ? spec.source : {};
  const hasSource = source.persistentVolumeName !== undefined || source.inlineVolumeSpec !== undefined;
  const why = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  return [
    ...missing('spec.attacher', spec.attacher),
    ...(hasSource ? [] : [fieldCauses.required('spec.source', why)]),
    ...missing('spec.nodeName', spec.nodeName),
    ...changeCauses(object, before),
  ];
}

const missing = (field: string, value: unknown): readonly FieldCause[] =>
  value === undefined || value === '' ? [fieldCauses.required(field)] : [];

/** storage.k8s.io/v1 VolumeAttachment: its spec stays. */
function changeCauses({ spec }: StoredObject, before: StoredObject | undefined): readonly FieldCause[] {
  if (before === undefined || spec === before.spec) return [];
  const { attacher, source, nodeName } = spec ?? {};
  const { persistentVolumeName = null, inlineVolumeSpec = null } = isJson(source) ? source : {};
  const shown = {
    Attacher: attacher,
    Source: { PersistentVolumeName: persistentVolumeName, InlineVolumeSpec: inlineVolumeSpec },
    NodeName: nodeName,
  };
  return immutable('spec', spec, before.spec).map(() => fieldCauses.invalid('spec', shown, 'field is immutable'));
}

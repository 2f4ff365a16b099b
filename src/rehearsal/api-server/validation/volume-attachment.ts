import { isJson } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';

/** storage.k8s.io/v1 VolumeAttachment (kubernetes, pkg/apis/storage/validation, validateVolumeAttachmentSpec). */
export function attachmentCauses({ spec = {} }: StoredObject): readonly FieldCause[] {
  const source = isJson(spec.source) ? spec.source : {};
  const hasSource = source.persistentVolumeName !== undefined || source.inlineVolumeSpec !== undefined;
  const why = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  return [
    ...missing('spec.attacher', spec.attacher),
    ...(hasSource ? [] : [fieldCauses.required('spec.source', why)]),
    ...missing('spec.nodeName', spec.nodeName),
  ];
}

const missing = (field: string, value: unknown): readonly FieldCause[] =>
  value === undefined || value === '' ? [fieldCauses.required(field)] : [];

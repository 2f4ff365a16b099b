import { isJson, type Json } from '../../../objects/json.ts';
import type { StoredObject } from '../../../objects/objects.ts';
import { type FieldCause, fieldCauses } from '../../refusals.ts';
import { immutable } from '../../strategies/validation.ts';
import { formatCauses, formats, requiredCauses } from '../formats.ts';
import { driverNameCauses } from '../volumes/volume-sources.ts';

/** storage.k8s.io/v1 VolumeAttachment (kubernetes, pkg/apis/storage/validation, validateVolumeAttachmentSpec). */
export function attachmentCauses(object: StoredObject, before: StoredObject | undefined): readonly FieldCause[] {
  const { spec = {} } = object;
  const source = isJson(spec.source) ? spec.source : {};
  const { attacher = '', nodeName = '' } = spec;
  return [
    ...requiredCauses('spec.attacher', attacher),
    ...sourceCauses(source),
    ...formatCauses('spec.nodeName', nodeName, formats.subdomain),
    ...driverCauses(String(attacher)),
    ...changeCauses(object, before),
  ];
}

/** The attacher is a driver. A missing name has its own cause above. */
const driverCauses = (name: string): readonly FieldCause[] =>
  driverNameCauses(name, 'spec.attacher').filter(({ reason }) => reason !== 'FieldValueRequired');

function sourceCauses({ persistentVolumeName: name, inlineVolumeSpec: inline }: Json): readonly FieldCause[] {
  const field = 'spec.source.persistentVolumeName';
  const why = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (name === undefined && inline === undefined) return [fieldCauses.required('spec.source', why)];
  if (name !== undefined && inline !== undefined) return [fieldCauses.forbidden('spec.source', why)];
  if (name === undefined) return [];
  return [
    ...requiredCauses(field, name, 'must specify non empty persistentVolumeName'),
    ...formatCauses(field, name, formats.subdomain),
  ];
}

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

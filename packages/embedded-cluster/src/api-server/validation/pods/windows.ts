import { isJson, type Json } from '../../../objects/json.ts';
import { type FieldCause, fieldCauses } from '../../refusals.ts';
import { formatCauses, formats, when } from '../formats.ts';

const specKiB = 64;

/**
 * The errors in what a security context says for Windows (kubernetes, pkg/apis/core/validation,
 * validateWindowsSecurityContextOptions).
 */
export function windowsCauses(options: unknown, field: string): readonly FieldCause[] {
  if (!isJson(options)) return [];
  const { gmsaCredentialSpecName: name, gmsaCredentialSpec: spec, runAsUserName: user } = options;
  return [
    ...(name === undefined ? [] : formatCauses(`${field}.gmsaCredentialSpecName`, name, formats.subdomain)),
    ...(typeof spec === 'string' ? specCauses(spec, `${field}.gmsaCredentialSpec`) : []),
    ...(typeof user === 'string' ? userCauses(user, `${field}.runAsUserName`) : []),
  ];
}

function specCauses(spec: string, field: string): readonly FieldCause[] {
  const invalid = (why: string) => fieldCauses.invalid(field, spec, why);
  if (spec === '') return [invalid('gmsaCredentialSpec cannot be an empty string')];
  return when(spec.length > specKiB * 1024, invalid(`gmsaCredentialSpec size must be under ${specKiB} KiB`));
}

function userCauses(name: string, field: string): readonly FieldCause[] {
  const parts = name.split('\\');
  const [user = ''] = parts.toReversed();
  const invalid = (why: string) => fieldCauses.invalid(field, name, why);
  if (name === '') return [invalid('runAsUserName cannot be an empty string')];
  return [
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what may not be there.
    ...when(/[\x00-\x1f\x7f]/.test(name), invalid('runAsUserName cannot contain control characters')),
    ...when(parts.length > 2, invalid('runAsUserName cannot contain more than one backslash')),
    ...when(user === '', invalid("runAsUserName's User cannot be empty")),
    ...when(user.length > 104, invalid("runAsUserName's User length must not be longer than 104 characters")),
    ...when(/^[. ]+$/.test(user), invalid("runAsUserName's User cannot contain only periods or spaces")),
  ];
}

const isOfHost = (context: unknown): boolean =>
  isJson(context) && isJson(context.windowsOptions) && context.windowsOptions.hostProcess === true;

/** The errors in a pod whose containers are processes of their node (validateWindowsHostProcessPod). */
export function hostProcessCauses(spec: Json, containers: readonly Json[], field: string): readonly FieldCause[] {
  const ofPod = isOfHost(spec.securityContext);
  const own = containers.map(({ securityContext }) => securityContext);
  if (!ofPod && !own.some(isOfHost)) return [];
  const why = 'hostNetwork must be true if pod contains any hostProcess containers';
  return when(spec.hostNetwork !== true, fieldCauses.invalid(`${field}.hostNetwork`, false, why));
}

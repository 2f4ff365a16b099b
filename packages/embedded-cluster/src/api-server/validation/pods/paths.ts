import { type FieldCause, fieldCauses } from '../../refusals.ts';
import { when } from '../formats.ts';

/** An error if the path goes up. */
export function backstepCauses(field: string, path: string): readonly FieldCause[] {
  return when(path.split('/').includes('..'), fieldCauses.invalid(field, path, "must not contain '..'"));
}

/** The errors in a path that begins in a volume and stays there. */
export function descendingPathCauses(field: string, path: string): readonly FieldCause[] {
  return [
    ...when(path.startsWith('/'), fieldCauses.invalid(field, path, 'must be a relative path')),
    ...backstepCauses(field, path),
  ];
}

/** The same of a file that a volume is filled with: names with two dots in front are the volume's own. */
export function filePathCauses(field: string, path: string): readonly FieldCause[] {
  const isReserved = path.startsWith('..') && !path.startsWith('../');
  return [
    ...descendingPathCauses(field, path),
    ...when(isReserved, fieldCauses.invalid(field, path, "must not start with '..'")),
  ];
}

/** An error in the permissions of a file. */
export function fileModeCauses(field: string, mode: unknown): readonly FieldCause[] {
  const isWrong = typeof mode === 'number' && (mode < 0 || mode > 0o777);
  return when(isWrong, fieldCauses.invalid(field, mode, 'must be a number between 0 and 0777 (octal), both inclusive'));
}

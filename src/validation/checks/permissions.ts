import { missingPermissions, permissionText } from '../permissions/missing-permissions.ts';
import { permissions as permissionsOf } from '../permissions/permissions.ts';
import { asExpected, type Check, notAsExpected } from './check.ts';

/**
 * The caller may do everything that the run does and undoes; the permissions of the undo are asked first
 * (SelfSubjectAccessReview).
 */
export const permissions: Check = {
  name: 'permissions',
  mandatory: true,
  async look({ site, settings, scenarios, cleanup }) {
    const assertion = {
      id: 'permissions',
      subject: 'permissions',
      expected: 'every permission that the run and its undo need',
    };
    const wanted = permissionsOf({ settings, scenarios, cleanup });
    const missing = await missingPermissions(site.cluster, wanted);
    if (missing.length === 0) return asExpected(assertion, `${wanted.length} permissions checked, all granted`);
    const observed = `not allowed: ${missing.map(permissionText).join('; ')}`;
    return notAsExpected(assertion, observed, 'apply what holdfast rbac prints, and bind it to the caller');
  },
};

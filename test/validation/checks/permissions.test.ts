import { test } from 'node:test';
import { permissions } from '../../../src/validation/checks/permissions.ts';
import { apiSite } from '../../support/api-site.ts';
import { fine, wrong } from '../../support/checked.ts';

test('missing permissions are named, those of an undo first', async () => {
  await apiSite((at) => fine(permissions, at, /all granted/));
  await apiSite(
    (at) =>
      wrong(
        permissions,
        at,
        /permissions/,
        /^not allowed: patch nodes in the cluster \(scale-up, to undo\); delete pods in namespace default \(single-replica\); create pods\/eviction in the cluster/,
      ),
    {
      allows: (_user, { resource, verb, subresource }) =>
        !(
          (resource === 'nodes' && verb === 'patch') ||
          (resource === 'pods' && verb === 'delete') ||
          subresource === 'eviction'
        ),
    },
  );
});

import { isJson, type Json } from '../../objects/json.ts';
import { at, defaultsOf } from './strategy.ts';

/** Permissions of the files of a volume: 0644. */
const files = defaultsOf({ defaultMode: 420 });
/** Its sources are always written. */
const sources = defaultsOf({ sources: null });
const ofVersion = defaultsOf({ apiVersion: 'v1' });

/** The defaults of disks and shares, in a pod or a PersistentVolume. */
export const ofDisks = {
  azureDisk: defaultsOf({ cachingMode: 'ReadWrite', fsType: 'ext4', readOnly: false, kind: 'Shared' }),
  iscsi: defaultsOf({ iscsiInterface: 'default' }),
  rbd: defaultsOf({ pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' }),
  scaleIO: defaultsOf({ storageMode: 'ThinProvisioned', fsType: 'xfs' }),
} as const;

/**
 * Fills in the defaults of a pod's volume: without a source it is an empty directory (kubernetes,
 * pkg/apis/core/v1/defaults.go).
 */
export function completeVolume(volume: Json): Json {
  const { name: _, ...source } = volume;
  if (!Object.values(source).some(isJson)) return { ...volume, emptyDir: {} };
  const filled = ['secret', 'configMap', 'downwardAPI', 'projected'].reduce(
    (whole, type) => at(whole, type, files),
    volume,
  );
  const listed = at(filled, 'projected', sources);
  const referring = at(at(listed, 'downwardAPI.items.*.fieldRef', ofVersion), 'hostPath', defaultsOf({ type: '' }));
  const claimed = at(referring, 'ephemeral.volumeClaimTemplate.spec', defaultsOf({ volumeMode: 'Filesystem' }));
  const disked = Object.entries(ofDisks).reduce((whole, [type, change]) => at(whole, type, change), claimed);
  const projected = at(disked, 'projected.sources.*.downwardAPI.items.*.fieldRef', ofVersion);
  return at(projected, 'projected.sources.*.serviceAccountToken', defaultsOf({ expirationSeconds: 3600 }));
}

import type { OwnManifests } from '../manifests/read-own.ts';

/** What an application has of its own in `applications` of the settings. */
const keys: ReadonlySet<string> = new Set([
  'application',
  'url',
  'namespace',
  'applicationKind',
  'applicationSelector',
  'service',
  'ingress',
  'httpRoute',
  'disruptionBudget',
  'nodePool',
  'dns',
  'monitor',
]);

/** The applications of the manifests but the first, as `applications` of the settings. */
export function furtherApplications(
  { others, assumedSettings }: Pick<OwnManifests, 'others' | 'assumedSettings'>,
  settingsOf: (one: OwnManifests) => Record<string, unknown> = (one) => one.assumedSettings,
): Record<string, unknown> {
  if (others.length === 0) return {};
  const hasOwnPool = assumedSettings.nodePool !== undefined;
  const applications = others.map((one) => ({
    ...(hasOwnPool ? { nodePool: {} } : {}),
    ...Object.fromEntries(Object.entries(settingsOf(one)).filter(([key]) => keys.has(key))),
  }));
  return { applications };
}

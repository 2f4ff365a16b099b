import { awsAccess } from '../../cloud/aws/access.ts';
import { aws } from '../../cloud/aws/aws.ts';
import { rfc2136 } from '../../cloud/rfc2136/rfc2136.ts';
import { connect } from '../../cluster/client.ts';
import { type Credentials, readCredentials } from '../../cluster/credentials.ts';
import { withoutKarpenter } from '../../cluster/without-karpenter.ts';
import { hasKarpenter, type Settings } from '../../validation/settings.ts';
import type { Site } from '../../validation/site.ts';
import type { Context } from '../command/context.ts';
import { readAll } from '../command/mistakes.ts';
import type { TypedSettings } from '../settings/run-settings.ts';
import type { ClusterFlags } from './cluster-flags.ts';
import { manifestsToApply, type OwnFlags, type ReadSettings, readRunSettings, withApplied } from './own-manifests.ts';

/** A real cluster and the settings for it. */
export interface OpenCluster extends ReadSettings {
  readonly site: Site;
  readonly credentials: Credentials;
}

/**
 * Reads the kubeconfig, the settings and the manifests of `-f`; the mistakes of all are one `UsageError`. It sends no
 * request to the API server, so that the manifests are not in the settings yet.
 */
export async function readCluster(
  context: Context,
  { kubeconfig, context: name, namespace, ...ownFlags }: ClusterFlags & OwnFlags,
  over: TypedSettings = {},
): Promise<OpenCluster> {
  const { host, environment } = context;
  const access = readCredentials(host, { kubeconfig, context: name, environment });
  const flags = { ...over, ...(namespace === undefined ? {} : { namespace }) };
  const assumed = access.then(namespaceOf, () => ({}));
  const [credentials, read] = await readAll([
    access,
    assumed.then((known) => readRunSettings(context, ownFlags, flags, known)),
  ]);
  return { site: siteOf(context, credentials, read.settings), credentials, ...read };
}

/**
 * As `readCluster`; the manifests of `-f` are what phase 3 applies, and the API server is asked for kinds that they do
 * not define.
 */
export async function openCluster(...read: Parameters<typeof readCluster>): Promise<OpenCluster> {
  const open = await readCluster(...read);
  if (open.own === undefined) return open;
  const applied = await manifestsToApply(open.own, open.site.cluster.discover, notServed);
  return { ...open, settings: withApplied(open.settings, applied) };
}

const notServed = 'is not served by this cluster: install its definition, or add it to -f.';

/** The namespace of the kubeconfig's context, as kubectl uses it. The settings win over it. */
function namespaceOf({ namespace }: Credentials): Partial<Settings> {
  return namespace === undefined ? {} : { namespace };
}

/** The host, with the cluster and the cloud reached through it. */
export function siteOf({ host, environment }: Context, { access }: Credentials, settings: SiteSettings): Site {
  const { dns } = settings;
  const amazon = aws(host, awsAccess(environment));
  const cloud = dns.rfc2136 === undefined ? amazon : { ...amazon, ...rfc2136(host, dns.rfc2136) };
  const cluster = connect(host, access);
  return { host, cluster: hasKarpenter(settings) ? cluster : withoutKarpenter(cluster), cloud };
}

type SiteSettings = Pick<Settings, 'dns' | 'autoscaler'>;

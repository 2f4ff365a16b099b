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
import { readValidationSettings } from '../settings/run-settings.ts';
import type { ClusterFlags } from './cluster-flags.ts';

/** A real cluster and the settings for it. */
export interface OpenCluster {
  readonly site: Site;
  readonly settings: Settings;
  readonly credentials: Credentials;
}

/** Reads the kubeconfig and the settings; the mistakes of both are one `UsageError`. It sends no request to the API server. */
export async function openCluster(
  context: Context,
  { kubeconfig, context: name, namespace }: ClusterFlags,
  over: Partial<Settings> = {},
): Promise<OpenCluster> {
  const { host, environment } = context;
  const access = readCredentials(host, { kubeconfig, context: name, environment });
  const flags = { ...over, ...(namespace === undefined ? {} : { namespace }) };
  const assumed = access.then(namespaceOf, () => ({}));
  const [credentials, settings] = await readAll([
    access,
    assumed.then((known) => readValidationSettings(context, flags, known)),
  ]);
  return { site: siteOf(context, credentials, settings), settings, credentials };
}

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

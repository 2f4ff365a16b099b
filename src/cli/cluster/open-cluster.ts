import { awsAccess } from '../../cloud/aws/access.ts';
import { aws } from '../../cloud/aws/aws.ts';
import { connect } from '../../cluster/client.ts';
import { type Credentials, readCredentials } from '../../cluster/credentials.ts';
import type { Settings } from '../../validation/settings.ts';
import type { Site } from '../../validation/site.ts';
import type { Context } from '../command/context.ts';
import { readAll } from '../command/mistakes.ts';
import { readValidationSettings } from '../settings/run-settings.ts';
import type { ClusterFlags } from './cluster-flags.ts';

/** A real cluster, and what is to be done there. */
export interface OpenCluster {
  readonly site: Site;
  readonly settings: Settings;
  readonly credentials: Credentials;
}

/** Reads the kubeconfig and the settings; what is wrong with both is one `UsageError`. Nothing is asked of the API server yet. */
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
  return { site: siteOf(context, credentials), settings, credentials };
}

/** A kubeconfig's namespace is what kubectl takes too; the settings say more than it. */
function namespaceOf({ namespace }: Credentials): Partial<Settings> {
  return namespace === undefined ? {} : { namespace };
}

/** The outside, and the cluster and the cloud seen through it. */
export function siteOf({ host, environment }: Context, { access }: Credentials): Site {
  return { host, cluster: connect(host, access), cloud: aws(host, awsAccess(environment)) };
}

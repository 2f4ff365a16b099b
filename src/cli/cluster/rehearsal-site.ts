import { aws } from '../../cloud/aws/aws.ts';
import { connect } from '../../cluster/client.ts';
import type { Host } from '../../host/host.ts';
import { apiServerUrl } from '../../rehearsal/host.ts';
import type { Site } from '../../validation/site.ts';

/** The embedded cluster as the product reaches it. It asks for no credentials. */
export function rehearsalSite({ host }: { readonly host: Host }): Site {
  return { host, cluster: connect(host, { server: apiServerUrl }), cloud: aws(host, {}) };
}

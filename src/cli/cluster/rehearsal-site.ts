import { aws } from '../../cloud/aws/aws.ts';
import { connect } from '../../cluster/client.ts';
import { withoutKarpenter } from '../../cluster/without-karpenter.ts';
import type { Host } from '../../host/host.ts';
import { apiServerUrl } from '../../rehearsal/host.ts';
import { hasKarpenter, type Settings } from '../../validation/settings.ts';
import type { Site } from '../../validation/site.ts';

/** The embedded cluster as the product reaches it. It asks for no credentials. Without settings it has Karpenter. */
export function rehearsalSite({ host }: { readonly host: Host }, settings?: Pick<Settings, 'autoscaler'>): Site {
  const cluster = connect(host, { server: apiServerUrl });
  return {
    host,
    cluster: settings === undefined || hasKarpenter(settings) ? cluster : withoutKarpenter(cluster),
    cloud: aws(host, {}),
    pausesAutoscalers: true,
  };
}

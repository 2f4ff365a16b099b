import type { Machines, RecordSet, VirtualClock, Zone } from '@holdfast/embedded-cluster';
import { createCloudApi } from '../../packages/embedded-cluster/src/cloud-api/cloud-api.ts';
import type { XmlResponse } from '../../packages/embedded-cluster/src/cloud-api/xml.ts';
import { createZone } from '../../packages/embedded-cluster/src/dns/zone.ts';
import { createMachines } from '../../packages/embedded-cluster/src/machines/machines.ts';
import { randomStreams } from '../../packages/embedded-cluster/src/outside/random.ts';
import { virtualClock } from '../../packages/embedded-cluster/src/time/clock.ts';
import { aws } from '../../src/cloud/aws/aws.ts';
import type { Cloud } from '../../src/cloud/cloud.ts';
import type { Host, HttpRequest } from '../../src/host/host.ts';

/** EC2 and Route 53 of the embedded cluster behind the client, in virtual time. */
export interface CloudSite {
  readonly clock: VirtualClock;
  readonly zone: Zone;
  readonly machines: Machines;
  readonly cloud: Cloud;
  readonly host: Pick<Host, 'http' | 'clock'>;
  readonly requests: HttpRequest[];
  /** Answers instead of the cloud, unless it returns undefined. */
  fault: (request: HttpRequest, index: number) => XmlResponse | undefined;
  /** Adds record sets to the zone. */
  put(...sets: readonly RecordSet[]): void;
}

export const record: RecordSet = {
  name: 'app.example.com',
  type: 'CNAME',
  ttlSeconds: 300,
  values: ['lb.example.org'],
};
export const mark: RecordSet = {
  name: 'cname-app.example.com',
  type: 'TXT',
  ttlSeconds: 300,
  values: ['"heritage=external-dns,external-dns/owner=default"'],
};

/** How long Route 53 takes until a change is at every server. */
export const inSyncSeconds = 20;

export function cloudSite(main: (at: CloudSite) => Promise<void>): Promise<void> {
  const clock = virtualClock(Date.parse('2026-11-20T10:00:00Z'), { stallTimeoutSeconds: 5 });
  const now = () => clock.wallAt();
  const machines = createMachines({
    now,
    region: 'us-east-1',
    random: randomStreams('1')('machines'),
    delay: () => 10,
  });
  const propagationSeconds = () => inSyncSeconds;
  const zone = createZone({ name: 'example.com', now, negativeTtlSeconds: 60, propagationSeconds });
  const api = createCloudApi({ machines, zone, region: 'us-east-1', now, nameServer: 'ns-1.example.net' });
  const http: Host['http'] = async (request) => {
    const answer = at.fault(request, at.requests.push(request) - 1) ?? api.handle(request);
    await clock.sleep(0.001);
    if (answer === undefined) throw new Error(`nobody answers ${request.url}`);
    const chunks = async function* () {
      yield new TextEncoder().encode(answer.body);
    };
    return { status: answer.status, headers: {}, text: async () => answer.body, chunks, discard: () => {} };
  };
  const host = { http, clock };
  const at: CloudSite = {
    clock,
    zone,
    machines,
    host,
    cloud: aws(host, {}),
    requests: [],
    fault: () => undefined,
    put: (...sets) => void zone.change(sets.map((set) => ({ action: 'upsert', set }))),
  };
  return clock.run(() => main(at));
}

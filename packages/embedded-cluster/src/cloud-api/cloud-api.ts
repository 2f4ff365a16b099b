import type { Zone } from '../dns/zone.ts';
import type { Machines } from '../machines/machines.ts';
import type { HttpRequest } from '../outside/http.ts';
import { answerEc2 } from './ec2.ts';
import { answerRoute53 } from './route53.ts';
import type { XmlResponse } from './xml.ts';

/**
 * EC2 and Route 53: the requests that the AWS SDK sends, answered in the XML that it reads. Signatures are not checked.
 */
export interface CloudApi {
  /** Undefined when the request's host is neither EC2 nor Route 53. */
  handle(request: HttpRequest): XmlResponse | undefined;
}

export interface CloudApiOptions {
  readonly machines: Machines;
  readonly zone: Zone;
  readonly region: string;
  readonly now: () => number;
  /** The DNS name of the zone's authoritative server. */
  readonly nameServer: string;
}

export function createCloudApi({ machines, zone, region, now, nameServer }: CloudApiOptions): CloudApi {
  const hosted = { zone, nameServer, changes: new Map<string, number>() };
  return {
    handle: (request) => {
      const { hostname } = new URL(request.url);
      if (hostname === `ec2.${region}.amazonaws.com`) return answerEc2(request, machines, now());
      return hostname === 'route53.amazonaws.com' ? answerRoute53(request, hosted, now()) : undefined;
    },
  };
}

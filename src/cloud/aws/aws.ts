import type { Host } from '../../host/host.ts';
import type { Cloud } from '../cloud.ts';
import { ec2 } from './ec2.ts';
import type { AwsAccess } from './request.ts';
import { route53 } from './route53.ts';

/** AWS: EC2 for instances, Route 53 for records. Every request goes through the host. */
export function aws(host: Pick<Host, 'http' | 'clock'>, access: AwsAccess): Cloud {
  return { ...ec2(host, access), ...route53(host, access) };
}

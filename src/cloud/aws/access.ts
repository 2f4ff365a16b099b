import type { AwsAccess } from './request.ts';
import { signedBySdk } from './sign.ts';

/** Access by the rules of the AWS SDK: its credentials, and `AWS_ENDPOINT_URL` with its variants for a service. */
export function awsAccess(environment: Readonly<Record<string, string | undefined>>): AwsAccess {
  const {
    AWS_ENDPOINT_URL: all,
    AWS_ENDPOINT_URL_EC2: ec2 = all,
    AWS_ENDPOINT_URL_ROUTE_53: route53 = all,
  } = environment;
  const endpoints = {
    ...(ec2 === undefined ? {} : { ec2: withoutSlash(ec2) }),
    ...(route53 === undefined ? {} : { route53: withoutSlash(route53) }),
  };
  return { ...signedBySdk(), endpoints };
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

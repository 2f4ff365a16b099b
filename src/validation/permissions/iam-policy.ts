import { recordNames } from '../../cloud/record-names.ts';
import { applicationsOf } from '../applications.ts';
import type { Settings } from '../settings.ts';

/** A policy document of IAM. */
export interface IamPolicy {
  readonly Version: '2012-10-17';
  readonly Statement: readonly IamStatement[];
}
export interface IamStatement {
  readonly Sid: string;
  readonly Effect: 'Allow';
  readonly Action: string;
  readonly Resource: string;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

/**
 * The least policy that allows these actions: instances only of the node pool, records only of the applications' names
 * (docs/facts/aws.md, "Permissions"). Zones that are changed by dynamic updates need none of Route 53's.
 */
export function iamPolicy(settings: Settings, actions: readonly string[]): IamPolicy {
  const isNeeded = (action: string) => settings.dns.rfc2136 === undefined || !action.startsWith('route53:');
  return {
    Version: '2012-10-17',
    Statement: [...new Set(actions)].filter(isNeeded).map((action) => statementOf(action, settings)),
  };
}

function statementOf(action: string, settings: Settings): IamStatement {
  const [, name = action] = action.split(':');
  return { Sid: name, Effect: 'Allow', Action: action, Resource: '*', ...bounds[name]?.(settings) };
}

type Bounds = Pick<IamStatement, 'Resource' | 'Condition'>;

/** What IAM can bound these actions to; DescribeInstances and ListHostedZonesByName take no resource. */
const bounds: Readonly<Record<string, (settings: Settings) => Bounds>> = {
  TerminateInstances: (settings) => ({
    Resource: 'arn:aws:ec2:*:*:instance/*',
    Condition: { StringEquals: { 'aws:ResourceTag/karpenter.sh/nodepool': poolNames(settings) } },
  }),
  ListResourceRecordSets: () => ({ Resource: 'arn:aws:route53:::hostedzone/*' }),
  ChangeResourceRecordSets: (settings) => ({
    Resource: 'arn:aws:route53:::hostedzone/*',
    Condition: {
      'ForAllValues:StringEquals': {
        'route53:ChangeResourceRecordSetsNormalizedRecordNames': hostNames(settings).flatMap(recordNames),
        'route53:ChangeResourceRecordSetsRecordTypes': ['A', 'AAAA', 'CNAME', 'TXT'],
        'route53:ChangeResourceRecordSetsActions': ['CREATE', 'DELETE'],
      },
    },
  }),
  GetChange: () => ({ Resource: 'arn:aws:route53:::change/*' }),
};

function poolNames(settings: Settings): string | readonly string[] {
  const names = [...new Set(applicationsOf(settings).map(({ nodePool }) => nodePool.name))];
  return names.length === 1 ? (names[0] ?? '') : names;
}

const hostNames = (settings: Settings): readonly string[] => [
  ...new Set(applicationsOf(settings).map(({ url }) => new URL(url).hostname)),
];

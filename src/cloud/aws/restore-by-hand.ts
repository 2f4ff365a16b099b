import type { HostedZone, RecordSet } from '../cloud.ts';

/** The command of the AWS command line that creates these record sets again. */
export const restoreByHand = ({ id }: HostedZone, sets: readonly RecordSet[]): string =>
  `aws route53 change-resource-record-sets --hosted-zone-id ${id} --change-batch '${batchOf(sets)}'`;

/** A change batch for the AWS command line, safe in single quotes of a shell; UPSERT, because some of the sets may exist. */
function batchOf(sets: readonly RecordSet[]): string {
  const changes = sets.map(({ name, type, ttlSeconds, values, alias }) => ({
    Action: 'UPSERT',
    ResourceRecordSet: {
      Name: name,
      Type: type,
      ...(alias === undefined
        ? { TTL: ttlSeconds, ResourceRecords: values.map((value) => ({ Value: value })) }
        : {
            AliasTarget: {
              HostedZoneId: alias.zoneId,
              DNSName: alias.name,
              EvaluateTargetHealth: alias.evaluatesTargetHealth,
            },
          }),
    },
  }));
  return JSON.stringify({ Changes: changes }).replaceAll("'", String.raw`\u0027`);
}

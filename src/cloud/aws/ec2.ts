import { OperationError } from '../../host/errors.ts';
import type { Host } from '../../host/host.ts';
import type { Cloud, Instance } from '../cloud.ts';
import { type AwsAccess, type AwsAnswer, ask, refused } from './request.ts';
import { type Element, readXml } from './xml.ts';

/** EC2's Query API, version 2016-11-15: https://docs.aws.amazon.com/AWSEC2/latest/APIReference/ */
export function ec2(host: Pick<Host, 'http' | 'clock'>, access: AwsAccess): Pick<Cloud, 'instance' | 'terminate'> {
  const call = async (operation: string, places: readonly Place[]): Promise<AwsAnswer> => {
    const ids = Object.fromEntries(places.map(({ id }, index) => [`InstanceId.${index + 1}`, id]));
    const body = new URLSearchParams({ Action: operation, Version: '2016-11-15', ...ids }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
    const asked = { tried: operation, on: textOf(places) };
    const region = places[0]?.region ?? '';
    const answer = await ask(host, access, {
      ...asked,
      service: 'ec2',
      region,
      method: 'POST',
      path: '/',
      headers,
      body,
    });
    if (answer.status >= 400 && !isUnknown(answer)) throw refused(asked, answer);
    return answer;
  };
  return {
    instance: async (providerId) => {
      const answer = await call('DescribeInstances', [placeOf(providerId)]);
      return isUnknown(answer) ? undefined : instanceOf(answer.xml);
    },
    terminate: async (providerIds) => {
      const places = providerIds.map(placeOf);
      const answer = await call('TerminateInstances', places);
      if (isUnknown(answer)) throw refused({ tried: 'TerminateInstances', on: textOf(places) }, answer);
    },
  };
}

interface Place {
  readonly id: string;
  readonly region: string;
}

const textOf = (places: readonly Place[]): string => places.map(({ id }) => id).join(', ');

/**
 * `aws:///us-east-1a/i-0123456789abcdef0`: the region is the zone without its last letter, or without the suffix of a
 * local zone.
 */
export function placeOf(providerId: string): Place {
  const [, region, id] = /^aws:\/\/\/([a-z]+(?:-[a-z]+)+-\d+)[^/]*\/(i-[0-9a-f]+)$/.exec(providerId) ?? [];
  if (region !== undefined && id !== undefined) return { region, id };
  throw new OperationError({
    tried: 'Finding the instance of',
    on: providerId,
    reason: 'it is not the id of an EC2 instance',
  });
}

const isUnknown = ({ status, xml }: AwsAnswer): boolean => status === 400 && xml.includes('InvalidInstanceID.NotFound');

function instanceOf(xml: string): Instance | undefined {
  const reservations = readXml(xml).one('reservationSet').all('item');
  const [instance] = reservations.flatMap((reservation) => reservation.one('instancesSet').all('item'));
  if (instance === undefined) return undefined;
  const pairs = instance
    .one('tagSet')
    .all('item')
    .map((tag: Element) => [tag.text('key'), tag.text('value')]);
  return {
    id: instance.text('instanceId'),
    state: instance.one('instanceState').text('name') as Instance['state'],
    tags: Object.fromEntries(pairs),
  };
}

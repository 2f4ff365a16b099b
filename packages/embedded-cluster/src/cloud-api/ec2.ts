import { instanceType } from '../machines/instance-types.ts';
import { type Instance, type InstanceState, instanceState } from '../machines/instances.ts';
import type { Machines } from '../machines/machines.ts';
import type { HttpRequest } from '../outside/http.ts';
import { tag, type XmlResponse, xmlDocument } from './xml.ts';

/**
 * The EC2 Query API, version 2016-11-15: DescribeInstances and TerminateInstances, with DryRun. `now` is in epoch
 * milliseconds.
 */
export function answerEc2(
  { body = '' }: HttpRequest,
  machines: Pick<Machines, 'instance' | 'instances' | 'terminate'>,
  now: number,
): XmlResponse {
  const parameters = new URLSearchParams(body);
  const action = parameters.get('Action') ?? '';
  const ids = [...parameters].filter(([name]) => /^InstanceId\.\d+$/.test(name)).map(([, value]) => value);
  const unknown = ids.filter((id) => machines.instance(id) === undefined);
  if (unknown.length > 0) {
    return errorResponse(400, 'InvalidInstanceID.NotFound', `The instance IDs '${unknown.join(', ')}' do not exist`);
  }
  const selected = ids.length > 0 ? ids.flatMap((id) => machines.instance(id) ?? []) : [...machines.instances()];
  if (action === 'DescribeInstances') return describeInstances(selected, now);
  if (action !== 'TerminateInstances') return errorResponse(400, 'InvalidAction', `The action ${action} is not valid`);
  if (parameters.get('DryRun') === 'true') {
    return errorResponse(412, 'DryRunOperation', 'Request would have succeeded, but DryRun flag is set.');
  }
  return terminateInstances(selected, machines, now);
}

const namespace = ' xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"';
const requestId = tag('requestId', '00000000-0000-4000-8000-000000000000');
/** The codes of InstanceState (Amazon EC2 API Reference). */
const stateCodes: Readonly<Record<InstanceState, number>> = {
  pending: 0,
  running: 16,
  'shutting-down': 32,
  terminated: 48,
};

function describeInstances(instances: readonly Instance[], now: number): XmlResponse {
  const items = instances.map((instance) =>
    tag('item', [
      tag('reservationId', `r-0${instance.id.slice(3)}`),
      tag('ownerId', '123456789012'),
      tag('instancesSet', [tag('item', fieldsOf(instance, now))]),
    ]),
  );
  return document('DescribeInstancesResponse', [tag('reservationSet', items)]);
}

function fieldsOf(instance: Instance, now: number): readonly string[] {
  const tags = Object.entries(instance.tags).map(([key, value]) => tag('item', [tag('key', key), tag('value', value)]));
  return [
    tag('instanceId', instance.id),
    stateOf('instanceState', instanceState(instance, now)),
    tag('privateDnsName', instance.nodeName),
    tag('instanceType', instance.type),
    tag('launchTime', new Date(instance.launchedAt).toISOString()),
    tag('placement', [tag('availabilityZone', instance.zone)]),
    tag('privateIpAddress', instance.address),
    tag('architecture', instanceType(instance.type)?.architecture === 'amd64' ? 'x86_64' : 'arm64'),
    tag('tagSet', tags),
  ];
}

const stateOf = (name: string, state: InstanceState): string =>
  tag(name, [tag('code', stateCodes[state]), tag('name', state)]);

function terminateInstances(
  instances: readonly Instance[],
  machines: Pick<Machines, 'terminate' | 'instance'>,
  now: number,
): XmlResponse {
  const items = instances.map((instance) => {
    machines.terminate(instance.id);
    const current = machines.instance(instance.id) ?? instance;
    return tag('item', [
      tag('instanceId', instance.id),
      stateOf('currentState', instanceState(current, now)),
      stateOf('previousState', instanceState(instance, now)),
    ]);
  });
  return document('TerminateInstancesResponse', [tag('instancesSet', items)]);
}

const document = (name: string, content: readonly string[]): XmlResponse => ({
  status: 200,
  body: xmlDocument(tag(name, [requestId, ...content], namespace)),
});

function errorResponse(status: number, code: string, message: string): XmlResponse {
  const error = tag('Error', [tag('Code', code), tag('Message', message)]);
  return { status, body: xmlDocument(tag('Response', [tag('Errors', [error]), tag('RequestID', 'rehearsal')])) };
}

import table from '../../objects/go-messages.json' with { type: 'json' };
import { isJson } from '../../objects/json.ts';
import { definitionOf } from '../decoding/definitions.ts';

const messages: Readonly<Record<string, string | undefined>> = table.messages;

/**
 * A value of that message as the API server holds it, and shows it in some refusals: every member, under the name that
 * Go gives it, with its zero value where nothing was sent.
 */
export function held(value: unknown, message: string): unknown {
  // Types of apimachinery have the names of JSON there too.
  if (!isJson(value) || message.startsWith('meta/')) return value ?? null;
  return Object.fromEntries(membersOf(message).map((member) => [member.held, heldMember(value[member.name], member)]));
}

interface Member {
  readonly name: string;
  readonly held: string;
  readonly type: string;
  readonly zero: unknown;
}

function heldMember(value: unknown, { type, zero }: Member): unknown {
  const item = type.replace(/^\[\]/, '');
  if (value === undefined || value === null) return isJson(zero) ? held({}, type) : zero;
  if (Array.isArray(value)) return value.map((one) => (item.includes('.') ? held(one, item) : one));
  return type.includes('.') ? held(value, type) : value;
}

const known = new Map<string, readonly Member[]>();

function membersOf(message: string): readonly Member[] {
  const found = known.get(message);
  if (found !== undefined) return found;
  const rows = (messages[message] ?? '').split('; ').filter(Boolean);
  const members = rows.flatMap((row) => {
    const [, name = '', type = ''] = row.split(' ');
    return name.startsWith('.') ? membersOf(type) : [memberOf(name, type, message)];
  });
  known.set(message, members);
  return members;
}

function memberOf(row: string, type: string, message: string): Member {
  const name = row.replace('?', '');
  const isPointer = !row.endsWith('?') && !isRequired(name, message);
  return { name, held: heldName(name), type, zero: isPointer ? null : zeroOf(type) };
}

/** `core/v1.Container` is the definition `io.k8s.api.core.v1.Container`. */
function isRequired(name: string, message: string): boolean {
  const definition = `io.k8s.api.${message.replace('/', '.')}`;
  return definitionOf(definition).required?.includes(name) === true;
}

function zeroOf(type: string): unknown {
  if (type === 's') return '';
  if (type === 'b') return false;
  if (type === 'i') return 0;
  return type.startsWith('[]') || type.startsWith('{}') || !type.includes('.') ? null : {};
}

/** Names that Go does not only begin with a capital. */
const ownNames: Readonly<Record<string, string | undefined>> = {
  awsElasticBlockStore: 'AWSElasticBlockStore',
  cephfs: 'CephFS',
  csi: 'CSI',
  dnsConfig: 'DNSConfig',
  dnsPolicy: 'DNSPolicy',
  fc: 'FC',
  fsGroup: 'FSGroup',
  fsGroupChangePolicy: 'FSGroupChangePolicy',
  fsType: 'FSType',
  gcePersistentDisk: 'GCEPersistentDisk',
  grpc: 'GRPC',
  hostIP: 'HostIP',
  httpGet: 'HTTPGet',
  httpHeaders: 'HTTPHeaders',
  ip: 'IP',
  iscsi: 'ISCSI',
  nfs: 'NFS',
  os: 'OS',
  pdID: 'PdID',
  pdName: 'PDName',
  rbd: 'RBD',
  seLinuxChangePolicy: 'SELinuxChangePolicy',
  seLinuxOptions: 'SELinuxOptions',
  setHostnameAsFQDN: 'SetHostnameAsFQDN',
  storageos: 'StorageOS',
  tcpSocket: 'TCPSocket',
  tty: 'TTY',
};

const heldName = (name: string): string => ownNames[name] ?? `${name[0]?.toUpperCase()}${name.slice(1)}`;

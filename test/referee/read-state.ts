import type { Answer, Api } from './api.ts';
import { asUser, ended, type Kit } from './kit.ts';
import { type State, type Thing, thingOf } from './state.ts';

/** All objects of all kinds that can be listed, all record sets of all zones, and how many instances run. */
export async function readState(api: Api, kit: Kit): Promise<State> {
  const [objects, records, instances] = await Promise.all([objectsOf(api), recordsOf(kit), instancesOf(kit)]);
  return [...objects, ...records, ...instances];
}

async function objectsOf(api: Api): Promise<readonly Thing[]> {
  const groups = await api.ask('GET', '/apis');
  const versions = groups.body.groups.map(
    ({ preferredVersion }: { preferredVersion: { groupVersion: string } }) => `/apis/${preferredVersion.groupVersion}`,
  );
  const lists = await Promise.all(['/api/v1', ...versions].map((path: string) => listsBelow(api, path)));
  return lists.flat().flatMap((object) => thingOf(object) ?? []);
}

async function listsBelow(api: Api, path: string): Promise<readonly unknown[]> {
  const { body } = await api.ask('GET', path);
  const resources = (body.resources ?? []).filter(
    ({ name, verbs }: { name: string; verbs: string[] }) => verbs.includes('list') && !name.includes('/'),
  );
  const lists = await Promise.all(
    resources.map(async ({ name, kind }: { name: string; kind: string }) => {
      const answer: Answer = await api.ask('GET', `${path}/${name}`);
      return (answer.body.items ?? []).map((item: object) => ({ ...item, kind }));
    }),
  );
  return lists.flat();
}

const aws = 'http://10.77.0.5:4566';
/** The kit's AWS tells the service by the scope of the credential, and does not check the signature. */
const signedFor = (service: string): string =>
  `Authorization: AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=x`;

export async function askAws(kit: Kit, service: 'ec2' | 'route53', path: string, form?: string): Promise<string> {
  const command = ['curl', '-sS', '-m', '20', '-H', signedFor(service), ...(form === undefined ? [] : ['-d', form])];
  const { code, output, said } = await ended(asUser(kit, [...command, `${aws}${path}`], { cwd: '/' }));
  if (code !== 0) throw new Error(`curl ${aws}${path} ended with ${code}: ${said}`);
  return output;
}

async function recordsOf(kit: Kit): Promise<readonly Thing[]> {
  const zones = await askAws(kit, 'route53', '/2013-04-01/hostedzone');
  const ids = [...zones.matchAll(/<Id>\/hostedzone\/([^<]+)<\/Id>/g)].map(([, id = '']) => id);
  const sets = await Promise.all(ids.map((id) => askAws(kit, 'route53', `/2013-04-01/hostedzone/${id}/rrset`)));
  return sets.flatMap(recordSetsIn);
}

/** Each `ResourceRecordSet` of an answer, named by its name and type. */
export function recordSetsIn(xml: string): readonly Thing[] {
  const sets = [...xml.matchAll(/<ResourceRecordSet>(.*?)<\/ResourceRecordSet>/gs)].map(([, set = '']) =>
    set.replaceAll(/\s+/g, ' '),
  );
  return sets.map((set) => ({
    name: `RecordSet ${/<Name>([^<]*)/.exec(set)?.[1]} ${/<Type>([^<]*)/.exec(set)?.[1]}`,
    text: JSON.stringify({ set }),
  }));
}

async function instancesOf(kit: Kit): Promise<readonly Thing[]> {
  const xml = await askAws(kit, 'ec2', '/', 'Action=DescribeInstances&Version=2016-11-15');
  const running = [...xml.matchAll(/<instanceState>.*?<name>running<\/name>/gs)];
  return running.map(() => ({ name: 'Instance that runs', text: '{}' }));
}

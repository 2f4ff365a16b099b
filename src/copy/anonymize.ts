import type { CopiedObject, Copy } from './copy.ts';
import { type Pseudonym, pseudonymsOf } from './pseudonyms.ts';

/**
 * The copy with pseudonyms instead of names: of objects, hosts, images, ports, labels and everything else that is not a
 * word of Kubernetes, a time, an amount or an address. Equal names stay equal, so that it is asked like any copy.
 */
export function anonymized(copy: Copy): Copy {
  const pseudonym = pseudonymsOf(copy);
  const objects = [...copy.objects].map(
    ([kind, all]) => [kind, all.map((one) => hidden(one, pseudonym) as CopiedObject)] as const,
  );
  return { ...copy, objects: new Map(objects), namespaces: copy.namespaces.map(pseudonym) };
}

/** Members with the words of Kubernetes, of a cloud or of a machine. */
const plainMembers = new Set([
  ...['kind', 'osImage', 'kubeletVersion', 'containerRuntimeVersion', 'architecture', 'operatingSystem'],
  ...['schedule', 'timeZone', 'provisioner', 'driver', 'fsType', 'alias', 'zone', 'nodes', 'reason', 'schedulerName'],
  ...['currentRevision', 'updateRevision', 'imagePullPolicy', 'command'],
]);
/** Members whose own members are resources and amounts. */
const amounts = new Set(['requests', 'limits', 'capacity', 'allocatable', 'overhead', 'hard', 'used', 'resources']);
const labelMaps = new Set(['labels', 'matchLabels', 'nodeSelector', 'selector']);

/** Times, amounts, shares, addresses of machines, and words such as `RollingUpdate`. */
const plainText =
  /^(\d{4}-\d\d-\d\dT[\d:.]+Z|[\d.]+([numkKMGTPE]i?|%|e\d+)?|(\d+(ms|s|m|h))+|[\d.]+(\/\d+)?|[\da-f:]*::?[\da-f:.]*|[A-Z][A-Za-z0-9]*|true|false|\*)$/;

/** Labels, taints and conditions that Kubernetes, Karpenter and the clouds have given a meaning. */
const knownKeys =
  /^([\w.-]*\.)?(kubernetes\.io|k8s\.io|karpenter\.sh|karpenter\.k8s\.aws|k8s\.aws|eks\.amazonaws\.com|gke\.io|azure\.com)\/|^(pod-template-hash|controller-revision-hash|pod-template-generation|controller-uid|job-name)$/;
/** Of these the value too is a word of theirs. */
const knownValues =
  /\/(zone|region|arch|os|instance-[\w-]+|capacity-type|nodepool-hash|nodepool-hash-version|ec2nodeclass-hash[\w-]*)$|^(pod-template-hash|controller-revision-hash|pod-template-generation|controller-uid)$/;

/** Images of the cluster's own parts, by which they are known. */
const partImages = /(^|\/)(karpenter|ingress-nginx|coredns|kube-proxy|external-dns)(\/|:|@)/;

function hidden(value: unknown, pseudonym: Pseudonym, member = ''): unknown {
  if (plainMembers.has(member)) return value;
  if (typeof value === 'string') return hiddenText(value, pseudonym, member);
  if (Array.isArray(value)) return value.map((item) => hidden(item, pseudonym, member));
  if (typeof value !== 'object' || value === null) return value;
  if (labelMaps.has(member) && Object.values(value).every((one) => typeof one === 'string'))
    return mapped(value, (key, text) => [hiddenKey(key, pseudonym), hiddenValue(key, text, pseudonym)]);
  if (amounts.has(member) && Object.values(value).every(isAmount))
    return mapped(value, (name, amount) => [name.includes('/') ? hiddenKey(name, pseudonym) : name, amount]);
  const { key } = value as { readonly key?: unknown };
  if (typeof key === 'string') return hiddenRequirement(value, key, pseudonym);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, hidden(one, pseudonym, name)]));
}

const isAmount = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';

const mapped = (value: object, change: (key: string, text: string) => readonly [string, unknown]): object =>
  Object.fromEntries(Object.entries(value).map(([key, text]) => change(key, String(text))));

/** Of a taint, a toleration or an expression of labels. */
function hiddenRequirement(value: object, key: string, pseudonym: Pseudonym): object {
  const ofKey = (one: unknown): unknown => (typeof one === 'string' ? hiddenValue(key, one, pseudonym) : one);
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      if (name === 'key') return [name, hiddenKey(key, pseudonym)];
      if (name === 'value') return [name, ofKey(one)];
      return [name, name === 'values' && Array.isArray(one) ? one.map(ofKey) : one];
    }),
  );
}

function hiddenKey(key: string, pseudonym: Pseudonym): string {
  return knownKeys.test(key) ? key : pseudonym(key);
}
const hiddenValue = (key: string, text: string, pseudonym: Pseudonym): string =>
  knownValues.test(key) || /^(true|false|\d*)$/.test(text) ? text : pseudonym(text);

function hiddenText(text: string, pseudonym: Pseudonym, member: string): string {
  const own = ownRules[member];
  if (own !== undefined) return own(text, pseudonym);
  if (text.startsWith('/')) return text === '/' ? text : `/${pseudonym(text)}`;
  return plainText.test(text) ? text : pseudonym(text);
}

const imageRule = (text: string, pseudonym: Pseudonym): string => (partImages.test(text) ? text : pseudonym(text));

/** Members with rules of their own. */
const ownRules: Readonly<Record<string, (text: string, pseudonym: Pseudonym) => string>> = {
  topologyKey: hiddenKey,
  matchLabelKeys: hiddenKey,
  mismatchLabelKeys: hiddenKey,
  conditionType: hiddenType,
  type: hiddenType,
  finalizers: hiddenKey,
  apiVersion: hiddenGroup,
  image: imageRule,
  names: imageRule,
  providerID: hiddenId,
  volumeHandle: hiddenId,
  generateName: (text, pseudonym) => `${pseudonym(text.replace(/-$/, ''))}-`,
};

function hiddenType(text: string, pseudonym: Pseudonym): string {
  return plainText.test(text) ? text : hiddenKey(text, pseudonym);
}

/** `aws:///eu-central-1a/i-0abc`: the cloud and the zone stay. */
function hiddenId(text: string, pseudonym: Pseudonym): string {
  const [, above = '', id = ''] = /^(.*\/)?([^/]*)$/.exec(text) ?? [];
  return `${above}${pseudonym(id)}`;
}

/** The group of a kind that only this cluster has is a name of its owner's. */
function hiddenGroup(text: string, pseudonym: Pseudonym): string {
  const [group = '', version] = text.split('/');
  const isKnown = version === undefined || !group.includes('.') || knownKeys.test(`${group}/`);
  return isKnown ? text : `${pseudonym(group)}.example/${version}`;
}

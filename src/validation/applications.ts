import { labelsOf } from '../settings/pod-selector.ts';
import type { Finding } from './finding.ts';
import { ingressName, isPoolOf, type Settings, serviceName } from './settings.ts';

/** What distinguishes an application from the others of a run. */
export interface Named {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** `KIND/NAME`, as `--application` takes it; `KIND/NAMESPACE/NAME` where another one of these has the same. */
export function applicationName({ kind, namespace, name }: Named, among: readonly Named[]): string {
  const isShared = among.some((one) => one.kind === kind && one.name === name && one.namespace !== namespace);
  return isShared ? `${kind}/${namespace}/${name}` : `${kind}/${name}`;
}

/**
 * A finding that is about some of the applications of a run: its subject begins with their names, unless it names an
 * object of each of them already.
 */
export function findingOfSome(finding: Finding, those: readonly Named[], among: readonly Named[]): Finding {
  const of = those.map((one) => applicationName(one, among));
  const { object, subject } = finding;
  const isNamed = those.every(
    ({ namespace, name }) => object?.name === name && (object.namespace ?? namespace) === namespace,
  );
  return { ...finding, subject: isNamed ? subject : `${of.join(', ')}: ${subject}`, of };
}

/**
 * The applications of a run, each with settings as if it were the only one; the first is that of `validation` itself.
 */
export function applicationsOf(settings: Settings): readonly [Settings, ...Settings[]] {
  const { applications = [], ...first } = settings;
  return [first, ...applications.map((one) => furtherSettings(first, one))];
}

type Further = NonNullable<Settings['applications']>[number];

/**
 * A further application does not inherit the names of the first one's objects. It applies no manifests: phase 3 applies
 * those of `-f` once for all, and this one's pool is among them or exists already.
 */
function furtherSettings(first: Settings, { monitor, ...further }: Further): Settings {
  const { applicationSelector: _, service: _2, ingress: _3, httpRoute: _4, applied, ...shared } = first;
  const settings = {
    ...shared,
    disruptionBudget: `${further.application}-pdb`,
    ...further,
    monitor: { ...first.monitor, ...monitor },
  };
  if (applied === undefined) return settings;
  return { ...settings, applied: applied.filter(({ resource }) => isPoolOf(settings, resource)) };
}

export const namedIn = ({ applicationKind: kind, namespace, application: name }: Settings): Named => ({
  kind,
  namespace,
  name,
});

/** Their names among each other, in the same order. */
export function namesOf(all: readonly Settings[]): readonly string[] {
  const named = all.map(namedIn);
  return named.map((one) => applicationName(one, named));
}

/** What the applications of one run must not have in common, and what a further one cannot be; one sentence each. */
export function applicationMistakes(settings: Settings): readonly string[] {
  const all = applicationsOf(settings);
  return all.flatMap((one, index) => [
    ...(index === 0 ? [] : unfit(one, index, JSON.stringify(settings.monitor))),
    ...all.slice(0, index).flatMap((other) => sharings(other, one, index)),
  ]);
}

const at = (index: number): string => `validation.applications.${index - 1}`;

function unfit(
  { manifests, applicationKind, ingress, httpRoute, monitor, vantage }: Settings,
  index: number,
  first: string,
): readonly string[] {
  const both = httpRoute !== undefined && ingress !== undefined;
  const needs = [
    ...(applicationKind === 'Deployment' ? [] : ['applicationKind']),
    ...(ingress === null ? ['ingress'] : []),
    ...(httpRoute === undefined ? [] : ['httpRoute']),
  ];
  return [
    ...(manifests === 'none' ? [] : needs).map(
      (key) =>
        `${at(index)}.${key} is for an application that is there already: set manifests to none, or leave it out.`,
    ),
    ...(vantage === undefined || first === JSON.stringify(monitor)
      ? []
      : [
          `${at(index)}.monitor is not as validation.monitor, and probe pods ask all addresses alike: leave it or vantage out.`,
        ]),
    ...(both ? [`${at(index)}.httpRoute replaces ingress: leave one of them out.`] : []),
  ];
}

/**
 * Each application needs an address of its own, because the log distinguishes targets by it; pods of its own, because a
 * pod counts for one application; and objects of its own, because an object is applied once.
 */
function sharings(other: Settings, one: Settings, index: number): readonly string[] {
  const isNear = one.namespace === other.namespace;
  const isSame = isNear && one.applicationKind === other.applicationKind && one.application === other.application;
  return [
    ...(new URL(one.url).href === new URL(other.url).href
      ? [`${at(index)}.url is that of ${other.application} too: ${one.url}.`]
      : []),
    ...(isSame ? [`${at(index)} is the ${one.applicationKind} ${one.application} once more.`] : []),
    ...(isNear && !isSame ? [...commonPods(other, one, index), ...appliedTwice(other, one, index)] : []),
  ];
}

/** The selector with fewer labels selects every pod of the other one too. */
function commonPods(other: Settings, one: Settings, index: number): readonly string[] {
  const [own, others] = [podsOf(one), podsOf(other)];
  if (selectsAll(own, others)) return [`${at(index)} selects the pods of ${other.application} too: ${own}.`];
  if (selectsAll(others, own))
    return [`${at(index)} is ${own}, and ${other.application} selects its pods too: ${others}.`];
  return [];
}

const podsOf = ({ application, applicationSelector }: Settings): string => applicationSelector ?? `app=${application}`;

function selectsAll(selector: string, ofOthers: string): boolean {
  const labels = labelsOf(ofOthers) ?? {};
  return Object.entries(labelsOf(selector) ?? {}).every(([key, value]) => labels[key] === value);
}

/** Objects of one name that phase 3 would apply for both. */
function appliedTwice(other: Settings, one: Settings, index: number): readonly string[] {
  if (one.manifests === 'none') return [];
  const objects = [
    ['disruptionBudget', one.disruptionBudget, other.disruptionBudget],
    ['service', serviceName(one), serviceName(other)],
    ['ingress', ingressName(one), ingressName(other)],
  ] as const;
  return objects.flatMap(([key, own, others]) =>
    own !== null && own === others
      ? [`${at(index)}.${key} is that of ${other.application} too, and both would be applied: ${own}.`]
      : [],
  );
}

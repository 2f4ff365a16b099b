import type { ClusterClient } from '../../cluster/client.ts';
import type { ObjectPlace, Resource } from '../../cluster/kinds.ts';
import { inOrder, type Manifest } from '../../cluster/manifest.ts';
import { UsageError } from '../../host/errors.ts';
import { applicationName, applicationsOf } from '../../validation/applications.ts';
import { assumedHost } from '../../validation/manifests/own-applications.ts';
import { urlOf } from '../../validation/manifests/own-settings.ts';
import type { Settings } from '../../validation/settings.ts';
import type { Context } from '../command/context.ts';
import { type OwnManifests, readOwn, type WrittenObject } from '../manifests/read-own.ts';
import { readValidationSettings, type TypedSettings } from '../settings/run-settings.ts';
import { furtherApplications } from './further-applications.ts';

/** The flags of a run with manifests of the user (`-f`). */
export interface OwnFlags {
  readonly file?: readonly string[] | undefined;
  readonly application?: string | undefined;
}

/** The settings of a run on a real cluster, and the manifests that it applies if there are any. */
export interface ReadSettings {
  readonly settings: Settings;
  readonly own?: OwnManifests;
}

/**
 * Flags win over `holdfast.yaml`, and that over the manifests and `assumed`. With `-f` visitors reach each application
 * by an Ingress or a load balancer of the manifests, under a name that is known; else a `UsageError` says what to do.
 */
export async function readRunSettings(
  context: Context,
  { file = [], application }: OwnFlags,
  over: TypedSettings,
  assumed: Partial<Settings> = {},
): Promise<ReadSettings> {
  if (file.length === 0) return { settings: await readValidationSettings(context, over, assumed) };
  const { namespace = assumed.namespace, ...flags } = over;
  const own = await readOwn(context, { paths: file, chosen: application, namespace, rehearsed: false });
  const read = (one: OwnManifests) =>
    readValidationSettings(context, { ...flags, manifests: 'none' }, { ...assumed, ...settingsOf(one) });
  const each = await Promise.all([own, ...own.others].map(read));
  // The settings may name one of them.
  const [main = own, ...others] = [own, ...own.others].filter(
    ({ application: { name } }, index) => each[index]?.application === name,
  );
  const chosen = { ...main, notes: own.notes, others };
  const settings = await read(chosen);
  const mistakes = [main, ...others].flatMap((one) => notValidated(one, settings));
  if (mistakes.length > 0) throw new UsageError(mistakes);
  return { settings, own: chosen };
}

/** Those of the first application, with the further ones as its `applications`. */
function settingsOf(own: OwnManifests): Record<string, unknown> {
  return { ...settingsOfOne(own), ...furtherApplications(own, settingsOfOne) };
}

/** A real cluster serves the HTTPRoute itself, and not the Ingress that replaces it in a rehearsal. */
function settingsOfOne({ assumedSettings, written, application }: OwnManifests): Record<string, unknown> {
  const { ingress, ...others } = assumedSettings;
  return wayOf(written, application)?.object.kind === 'HTTPRoute' ? { ...others, httpRoute: ingress } : assumedSettings;
}

/** The object of the manifests through which visitors come; undefined where a rehearsal only assumes it. */
function wayOf(written: readonly WrittenObject[], { ingress, service, namespace }: OwnManifests['application']) {
  const kinds = ingress === null ? ['Service'] : ['Ingress', 'HTTPRoute'];
  const named = written.filter(
    ({ object }) => object.metadata.name === (ingress ?? service) && namespaceOf(object, namespace) === namespace,
  );
  return kinds.map((kind) => named.find(({ object }) => object.kind === kind)).find((way) => way !== undefined);
}

/** An object of a kind that only the cluster knows has no namespace yet where it names none. */
const namespaceOf = ({ metadata }: WrittenObject['object'], namespace: string): string =>
  metadata.namespace ?? namespace;

function notValidated({ application, written }: OwnManifests, settings: Settings): readonly string[] {
  const name = applicationName(application, []);
  if (wayOf(written, application) === undefined)
    return [
      `visitors reach ${name} neither by an Ingress or an HTTPRoute nor by a Service of type LoadBalancer of these manifests: add one; without it only rehearse takes them.`,
    ];
  if (application.host === assumedHost && applicationsOf(settings).some(({ url }) => url === urlOf(application)))
    return [
      `the manifests do not say under which name visitors reach ${name}: write its host into them, or set validation.url.`,
    ];
  return [];
}

/**
 * The objects of the manifests, in the order in which they are applied, each with its place; `discover` is asked for
 * kinds that neither Kubernetes nor the manifests define. `unserved` ends the sentence for those that it does not know
 * either, a `UsageError`.
 */
export async function manifestsToApply(
  { written, application }: OwnManifests,
  discover: ClusterClient['discover'],
  unserved: string,
): Promise<readonly Manifest[]> {
  const mistakes: string[] = [];
  const manifests: Manifest[] = [];
  for (const one of written) {
    const place = one.place ?? (await discover(one.object));
    if (place === undefined)
      mistakes.push(`${one.file}:${one.lineOf([])}: ${one.object.kind} (${one.object.apiVersion}) ${unserved}`);
    else manifests.push({ resource: within(one, place, application.namespace), place });
  }
  if (mistakes.length > 0) throw new UsageError(mistakes);
  return inOrder(manifests);
}

/** An object of a kind that only the cluster knows gets its namespace here. */
function within({ object }: WrittenObject, { namespaced }: ObjectPlace, namespace: string): Resource {
  const metadata = namespaced ? { namespace, ...object.metadata } : object.metadata;
  return { ...object, metadata } as unknown as Resource;
}

/**
 * The settings of a run that applies these manifests; the lock is kept in `default`, which is always there, where they
 * make the namespace.
 */
export function withApplied(settings: Settings, applied: readonly Manifest[]): Settings {
  const isMade = applied.some(
    ({ resource: { kind, metadata } }) => kind === 'Namespace' && metadata.name === settings.namespace,
  );
  return { ...settings, applied, ...(isMade ? { leaseNamespace: 'default' } : {}) };
}

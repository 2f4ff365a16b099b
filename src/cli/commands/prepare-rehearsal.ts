import { UsageError } from '../../host/errors.ts';
import { rehearseSchema } from '../../settings/rehearse-settings.ts';
import type { ReadRun } from '../../validation/judge/read-run.ts';
import { recorded, type Settings } from '../../validation/settings.ts';
import { typedSettings } from '../cluster/cluster-flags.ts';
import { embeddedHoldfast } from '../cluster/embedded-holdfast.ts';
import { furtherApplications } from '../cluster/further-applications.ts';
import type { RehearsalFlags as Flags } from '../cluster/rehearsal-flags.ts';
import { type OwnRehearsal, type RehearsalOrder, rehearsed } from '../cluster/rehearsal-run.ts';
import type { BehindDoor } from '../cluster/rehearse-doors.ts';
import type { Context } from '../command/context.ts';
import { behindFrontDoor } from '../front-doors/behind-front-door.ts';
import type { FrontDoorName } from '../manifests/front-door.ts';
import { unknownWorkloads } from '../manifests/own-behaviours.ts';
import { type OwnManifests, readOwn } from '../manifests/read-own.ts';
import { readValidationSettings } from '../settings/run-settings.ts';
import { concludeOwn, rehearseOwn } from './rehearse-own.ts';

/** A rehearsal whose settings and manifests are read and are right. */
export interface PreparedRehearsal {
  /** The text of `settings.json`. */
  readonly settings: string;
  /** Rehearses into the run folder, and reads what it says then. */
  readonly make: (context: Context, folder: string) => Promise<ReadRun>;
  /** The exit code, where that of the run is given. */
  readonly conclude: (context: Context, run: ReadRun, exitCode: number) => Promise<number>;
}

/** Reads what a rehearsal needs; everything that is wrong is one `UsageError`. */
export async function prepareRehearsal(context: Context, flags: Flags): Promise<PreparedRehearsal> {
  const typed = { ...flags, version: context.version };
  const own = await ownManifests(context, flags);
  if (own === undefined) return oneRun({ ...typed, ...(await whatRuns(context, flags, undefined)) });
  const doors = frontDoorsOf(flags, own.now);
  const [order, ...others] = await ordersOf(context, typed, behindFrontDoor(own.now, doors.main));
  const behind = await behindDoors(context, typed, own.now, { ...doors, order });
  const before = own.before && { paths: flags.against, orders: await ordersBefore(context, typed, own.before) };
  const unknown = unknownWorkloads(order.settings, [...own.now.located, ...(own.before?.located ?? [])]);
  if (unknown.length > 0) throw new UsageError(unknown);
  if (flags.together && others.length > 0) return oneRun(await togetherOrder(context, order));
  const { failOn, summary, assumptions } = flags;
  const whole = { ...order, others, behind, before, failOn, summary, assumptions };
  return {
    settings: settingsText(order),
    make: (held, folder) => rehearseOwn(held, whole, folder),
    conclude: (held, run, exitCode) => concludeOwn(held, whole, run, exitCode),
  };
}

const oneRun = (order: RehearsalOrder): PreparedRehearsal => ({
  settings: settingsText(order),
  make: (held, folder) => rehearsed(held, order, folder),
  conclude: async (_held, _run, exitCode) => exitCode,
});

const settingsText = ({ settings }: RehearsalOrder): string =>
  `${JSON.stringify({ validation: recorded(settings) }, null, 2)}\n`;

/** One run of all applications, as `validate -f` makes it. */
async function togetherOrder(context: Context, { own, ...flags }: OwnRehearsal & Flags): Promise<RehearsalOrder> {
  const assumedSettings = { ...own.assumedSettings, ...furtherApplications(own) };
  return { ...flags, own, ...(await whatRuns(context, flags, { ...own, assumedSettings })) };
}

/** A rehearsal for each application of the manifests, or of that one which `holdfast.yaml` names. */
async function ordersOf(
  context: Context,
  flags: Flags & Pick<Context, 'version'>,
  manifests: OwnManifests,
): Promise<readonly [OwnRehearsal & Flags, ...(OwnRehearsal & Flags)[]]> {
  const orderOf = async (own: OwnManifests) => {
    const { settings, ...runs } = await whatRuns(context, flags, own);
    const { applications: _, ...alone } = settings;
    return { ...flags, own, settings: alone, ...runs };
  };
  const first = await orderOf({ ...manifests, others: [] });
  const all = [first, ...(await Promise.all(manifests.others.map(orderOf)))];
  const named = all.filter(({ own, settings }) => settings.application === own.application.name);
  const [main = first, ...others] = named;
  return [{ ...main, own: { ...main.own, notes: manifests.notes, others: others.map(({ own }) => own) } }, ...others];
}

/** What visitors come through in the run itself, and behind what the application is rehearsed besides. */
function frontDoorsOf({ frontDoor: asked }: Pick<Flags, 'frontDoor'>, { frontDoor: declared }: OwnManifests) {
  const main = asked.includes(declared) ? declared : (asked[0] ?? declared);
  return { main, names: asked, declared };
}

/** Those before the change, behind the same front door where one was asked for. */
function ordersBefore(context: Context, flags: Flags & Pick<Context, 'version'>, before: OwnManifests) {
  return ordersOf(context, flags, behindFrontDoor(before, frontDoorsOf(flags, before).main));
}

async function behindDoors(
  context: Context,
  flags: Flags & Pick<Context, 'version'>,
  own: OwnManifests,
  { main, names, declared, order }: ReturnType<typeof frontDoorsOf> & { readonly order: OwnRehearsal },
): Promise<readonly BehindDoor[]> {
  const doors: BehindDoor[] = [];
  for (const name of names) {
    const [other] = name === main ? [order] : await ordersOf(context, flags, behindFrontDoor(own, name));
    doors.push({ name, declared: name === declared, order: other });
  }
  return doors;
}

interface BothManifests {
  readonly now: OwnManifests;
  readonly before: OwnManifests | undefined;
}

/** What is wrong with those of `-f` and with those of `--against` is said at once. */
async function ownManifests(context: Context, flags: Flags): Promise<BothManifests | undefined> {
  if (flags.file.length === 0) return undefined;
  const read = (paths: readonly string[]) => readOwn(context, { paths, chosen: flags.application, rehearsed: true });
  const [now, before] = await Promise.allSettled([
    read(flags.file),
    flags.against.length === 0 ? undefined : read(flags.against),
  ]);
  if (now.status === 'fulfilled' && before.status === 'fulfilled') return { now: now.value, before: before.value };
  const reasons = [now, before].flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  const other = reasons.find((reason) => !(reason instanceof UsageError));
  throw other ?? new UsageError([...new Set(reasons.flatMap((reason: UsageError) => reason.mistakes))]);
}

/**
 * The settings of a rehearsal, and the program of its probe pods and load workers; it is loaded now, because that takes
 * real time.
 */
async function whatRuns(context: Context, flags: Flags, own: OwnManifests | undefined) {
  const settings = withFrontDoor(await settingsFor(context, flags, own), own?.frontDoor);
  const isProbed = settings.vantage !== undefined;
  if (!isProbed && settings.load.workers === undefined) return { settings };
  await Promise.all([isProbed && import('./monitor.ts'), import('../cluster/load-worker.ts')]);
  return { settings, program: embeddedHoldfast(context, settings) };
}

/** Of ingress-nginx the settings say nothing, as without `-f`. */
function withFrontDoor(settings: Settings, name: FrontDoorName | undefined): Settings {
  if (name === undefined || name === 'ingress-nginx') return settings;
  return { ...settings, rehearse: { ...rehearseSchema.parse({}), frontDoor: name, ...settings.rehearse } };
}

function settingsFor(
  context: Context,
  { manifests, vantage }: Flags,
  own: OwnManifests | undefined,
): Promise<Settings> {
  const typed = typedSettings({ manifests: own === undefined ? manifests : 'none', vantage });
  return readValidationSettings(context, typed, own?.assumedSettings);
}

import type { z } from 'zod';
import type { Command } from '../../host/host.ts';
import { channelKeys, secretsOf } from '../../notification/notifiers.ts';
import { type Read, readSettings } from '../../settings/read-settings.ts';
import { healthBeforeTrouble, releaseContradictions } from './contradictions.ts';
import { commandEnvironment, type Environment } from './environment.ts';
import type { Applied, AsidePreset, Preset, ReleasePreset } from './preset.ts';
import { type PresetName, presets } from './presets.ts';
import { deploymentSchema } from './schema.ts';
import { merged, type Sources } from './sources.ts';
import { stepNameTrouble } from './step-names.ts';
import type { CacheSteps, Step } from './steps.ts';
import { inSubfolder } from './subfolder.ts';
import { type Steps, unknownTasks, withTasks } from './tasks.ts';
import { textsWithNul } from './text-forms.ts';

/** The settings of a deploy (section 2.4 of the specification; docs/contract.md, "holdfast.yaml"). */
export interface DeploymentSettings
  extends Omit<
    DeploymentDocument,
    'variant' | 'preset' | 'caches' | 'steps' | 'healthUrl' | 'logs' | 'releases' | 'maintenance'
  > {
  readonly appDir: string;
  readonly branch: string;
  readonly logFile: string;
  readonly variant: Variant;
  readonly caches: CacheSteps;
  readonly steps: Steps;
  readonly releases: ReleaseSettings;
  /** Whether the preset is for PHP, whose opcache may answer with old code. */
  readonly isPhp: boolean;
  readonly manifests: readonly string[];
  /** As in the preset. */
  readonly environmentFile?: string;
  readonly applied: readonly Applied[];
  /** Folders that the web server shows, from the checkout's top. */
  readonly webRoots: readonly string[];
  /** Undefined where the site stays open to visitors. */
  readonly maintenance: MaintenanceSettings | undefined;
  /** Logs of the application, from the checkout's top. */
  readonly logs: readonly string[];
  readonly aside?: AsidePreset;
  /** HEALTH_URL first; none in the basic variant. */
  readonly healthUrls: readonly string[];
  /** The whole environment of the commands. */
  readonly environment: Environment;
  /** The id that the caller has chosen for the run. */
  readonly runId?: string;
}
/** The settings of the mode `releases`. */
export type ReleaseSettings = Omit<DeploymentDocument['releases'], 'shared'> &
  Pick<ReleasePreset, 'shared' | 'folders'>;
/** What the commands need that only read a checkout. */
export type CheckoutSettings = Pick<DeploymentSettings, 'appDir' | 'environment'>;
export type Variant = NonNullable<DeploymentDocument['variant']>;
export type HealthSettings = Omit<DeploymentDocument['health'], 'urls' | 'baseline' | 'before'>;
export type ProofSettings = NonNullable<DeploymentDocument['health']['proof']>;
type DeploymentDocument = z.output<typeof deploymentSchema>;

/** The settings from flags, environment and file, or all mistakes in them, one sentence each. */
export function readDeploymentSettings(sources: Sources): Read<DeploymentSettings> {
  return readWith(sources, ['appDir', 'branch', 'logFile', 'healthUrl'], contradictions);
}

/** The same for commands that only read: only `appDir` is required. */
export function readCheckoutSettings(sources: Sources): Read<DeploymentSettings> {
  return readWith(sources, ['appDir'], () => []);
}

function readWith(
  sources: Sources,
  required: readonly Required[],
  alsoWrong: (given: Partial<DeploymentDocument>) => readonly string[],
): Read<DeploymentSettings> {
  const given = merged(sources);
  const unread = (given ?? {}) as Partial<DeploymentDocument>;
  const read = readSettings(deploymentSchema, given, 'deployment');
  const mistakes = [
    ...textsWithNul(given, 'deployment').map(
      (key) => `${key} holds the character NUL, which no file or command can have.`,
    ),
    ...missingSettings(unread, required),
    ...alsoWrong(unread),
    ...('mistakes' in read ? read.mistakes : []),
  ];
  return 'settings' in read && mistakes.length === 0
    ? { settings: settingsFrom(read.settings, sources.environment) }
    : { mistakes };
}

function settingsFrom(document: DeploymentDocument, inherited: Environment): DeploymentSettings {
  const { appDir = '', branch = '', logFile = '', preset, caches, environment, healthUrl, ...rest } = document;
  const { mode, releases } = document;
  const { folders, shared, caches: ofReleases } = presets[preset].releases;
  const { aside }: Preset = presets[preset];
  return inSubfolder({
    ...rest,
    appDir,
    branch,
    logFile,
    variant: document.variant ?? (isNotified(document) ? 'notify' : 'full'),
    caches: cachesByPhp(document.php, { ...(mode === 'releases' ? ofReleases : presets[preset].caches), ...caches }),
    releases: { folders, shared, ...releases },
    isPhp: presets[preset].isPhp,
    steps: stepsByPhp(document.php, withTasks(document.steps, document, preset)),
    maintenance: maintenanceFrom(document.maintenance),
    ...(aside === undefined ? {} : { aside }),
    manifests: presets[preset].manifests,
    ...environmentFileOf(presets[preset]),
    applied: presets[preset].applied,
    webRoots: presets[preset].webRoots,
    logs: document.logs ?? presets[preset].logs,
    healthUrls: healthUrl === undefined ? [] : [healthUrl, ...document.health.urls],
    environment: { ...commandEnvironment(inherited, secretsOf(document)), ...environment },
  });
}

function cachesByPhp(php: string, { clear, rebuild }: CacheSteps): CacheSteps {
  return { clear: byPhp(php, clear), rebuild: byPhp(php, rebuild) };
}

function stepsByPhp(php: string, { before, after }: Steps): Steps {
  return { before: byPhp(php, before), after: byPhp(php, after) };
}

function environmentFileOf({ environmentFile }: Preset): Pick<DeploymentSettings, 'environmentFile'> {
  return environmentFile === undefined ? {} : { environmentFile };
}

function isNotified(given: Partial<DeploymentDocument>): boolean {
  return channelKeys.some((key) => given[key] !== undefined);
}

/** Required settings that are absent, looked for before validation, so that another mistake does not hide them. */
function missingSettings(given: Partial<DeploymentDocument>, keys: readonly Required[]): readonly string[] {
  return keys
    .filter((key) => given[key] === undefined && !(key === 'healthUrl' && given.variant === 'basic'))
    .map((key) => `deployment.${key} is missing: ${ways[key]}.`);
}

function contradictions(given: Partial<DeploymentDocument>): readonly string[] {
  const shared = presets[given.preset ?? 'laravel']?.releases.shared;
  const releases = { shared, ...given.releases };
  return [
    ...unnotified(given),
    ...unknownTasks(given, given.preset ?? 'laravel'),
    ...stepNameTrouble(given, given.preset ?? 'laravel'),
    ...(given.backup?.database === true && given.backup.dir === undefined
      ? [
          'deployment.backup.database is on, and deployment.backup.dir does not say where to: give --backup-dir or the setting.',
        ]
      : []),
    ...healthBeforeTrouble(given, presets[given.preset ?? 'laravel']?.isPhp === true),
    ...maintenanceTrouble(given.maintenance, given.preset ?? 'laravel'),
    ...(given.mode === 'releases' ? releaseContradictions({ clean: given.clean, releases }) : []),
  ];
}

function unnotified(given: Partial<DeploymentDocument>): readonly string[] {
  if (given.variant !== 'notify' || isNotified(given)) return [];
  const keys = channelKeys.map((key) => `deployment.${key}`).join(' nor ');
  return [`deployment.variant is "notify", and neither ${keys} says whom to notify.`];
}

const ways = {
  appDir: 'give --app-dir, APP_DIR or the setting',
  branch: 'give --branch, BRANCH or the setting',
  logFile: 'give --log-file, LOG_FILE or the setting',
  healthUrl:
    'give --health-url, HEALTH_URL or the setting, or choose --variant basic, which checks nothing and never rolls back',
} as const;
type Required = keyof typeof ways;

/** How visitors are kept off while the checkout changes. */
interface MaintenanceSettings {
  /** What Retry-After says, in seconds. */
  readonly retryAfter: number;
  /** A file that the web server looks for; absent: Laravel's own maintenance mode. */
  readonly file?: string;
}

/** The setting as people write it: `true`, or an object. */
type MaintenanceGiven = boolean | { readonly file?: string; readonly retryAfter: number };

/** Undefined where the site stays open to visitors. */
function maintenanceFrom(given: MaintenanceGiven): MaintenanceSettings | undefined {
  if (given === false) return undefined;
  return given === true ? { retryAfter: defaultRetryAfter } : given;
}

/** Seconds: a deploy is done by then. */
const defaultRetryAfter = 60;

/** A mistake where the preset has no maintenance mode and no file is named. */
function maintenanceTrouble(given: unknown, preset: PresetName): readonly string[] {
  const isOn = given === true || (typeof given === 'object' && given !== null && !('file' in given));
  if (!isOn || preset.startsWith('laravel')) return [];
  return [
    `deployment.maintenance is on, and the preset ${JSON.stringify(preset)} has no maintenance mode of its own: name a file that the web server looks for, { file: PATH }.`,
  ];
}

/**
 * The steps with their PHP run by this program: those whose program is `php`, and composer, which is written in PHP.
 */
export function byPhp(php: string, steps: readonly Step[]): readonly Step[] {
  if (php === usual) return steps;
  const probeBy = ({ probe }: Step) => (probe === undefined ? {} : { probe: commandBy(php, probe) });
  return steps.map((step) => ({ ...step, command: commandBy(php, step.command), ...probeBy(step) }));
}

/** As the presets have it. */
const usual = 'php';

function commandBy(php: string, [program, ...words]: Command): Command {
  if (program === usual) return [php, ...words];
  if (program !== 'composer') return [program, ...words];
  // Its first line asks for the php of the PATH.
  return ['sh', '-c', 'exec "$0" "$(command -v composer)" "$@"', php, ...words];
}

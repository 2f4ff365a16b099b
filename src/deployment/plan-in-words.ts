import { channelKeys } from '../notification/notifiers.ts';
import { linkName } from './settings/contradictions.ts';
import type { DeploymentSettings } from './settings/settings.ts';
import type { Step } from './settings/steps.ts';

/** What `deploy` would do, a sentence a step; `plan` has the commands. Nothing is run. */
export function planInWords(settings: DeploymentSettings): readonly string[] {
  const { appDir, branch, mode, variant, clean, backup } = settings;
  return [
    `Deploys the branch ${branch} to ${appDir}: mode ${mode}, variant ${variant}`,
    ...(variant === 'basic' || settings.health.baseline === 'skip'
      ? []
      : [`asks the health address first (${healthOf(settings)})`]),
    `fetches ${branch} from origin`,
    ...(clean.enabled ? ['resets ownership and local edits, and moves untracked files aside'] : []),
    ...(backup.dir === undefined ? [] : [`makes an archive in ${backup.dir}`]),
    ...(backup.dir !== undefined && backup.database ? [`dumps the database of the application to ${backup.dir}`] : []),
    ...(mode === 'releases' ? ofRelease(settings) : inPlace(settings)),
    ...(variant === 'basic' ? ['checks nothing, and never rolls back'] : [verification(settings)]),
    ...(variant === 'notify' ? [`sends how it ended by ${notified(settings).join(', ')}`] : []),
  ];
}

function notified(settings: DeploymentSettings): readonly string[] {
  return channelKeys.filter((key) => settings[key] !== undefined);
}

/** From just before the files that visitors get are changed. */
function closing({ maintenance }: DeploymentSettings): readonly string[] {
  return maintenance === undefined ? [] : ['sends visitors away with 503 until the new code runs'];
}

function inPlace(settings: DeploymentSettings): readonly string[] {
  const { caches, steps, variant, localEdits, aside } = settings;
  const isBasic = variant === 'basic';
  const edits = localEdits === 'refuse' ? 'local edits refuse the deploy' : 'a copy of local edits is kept';
  return [
    ...(isBasic || aside === undefined || running(steps.before).length > 0
      ? []
      : ['starts the application with that commit in a copy: where it cannot start, that is the end']),
    ...closing(settings),
    `resets the checkout to the commit that was fetched; ${edits}`,
    ...(isBasic ? [] : running(steps.before)),
    ...(isBasic ? [] : listed('clears', caches.clear)),
    ...listed('rebuilds', caches.rebuild),
    ...(isBasic ? [] : running(steps.after)),
  ];
}

function ofRelease(settings: DeploymentSettings): readonly string[] {
  const { caches, steps, variant, releases, health } = settings;
  const isBasic = variant === 'basic';
  const { shared } = releases;
  return [
    `makes a folder for the commit in ${releases.folder}${shared.length === 0 ? '' : `, which shares ${shared.join(', ')}`}`,
    ...(isBasic ? [] : closing(settings)),
    ...(isBasic ? [] : running(steps.before)),
    ...(isBasic ? [] : listed('clears', caches.clear)),
    ...listed('rebuilds', caches.rebuild),
    ...(health.before
      ? ['asks it by itself, on this machine alone: any status but 200 ends here, and nobody has seen it']
      : []),
    `switches ${linkName} to it`,
    ...(isBasic ? [] : running(steps.after)),
  ];
}

function running(steps: readonly Step[]): readonly string[] {
  return listed(
    'runs',
    steps.filter(({ on }) => on !== 'rollback'),
  );
}

function listed(verb: string, steps: readonly Step[]): readonly string[] {
  return steps.length === 0 ? [] : [`${verb} ${steps.map(nameOf).join(', ')}`];
}

function nameOf({ name, whenChanged }: Step): string {
  return whenChanged === undefined ? name : `${name} (only where ${whenChanged.join(', ')} changed)`;
}

function verification(settings: DeploymentSettings): string {
  return `asks ${healthOf(settings)}: any status but 200 rolls back to the commit before`;
}

function healthOf({ healthUrls }: DeploymentSettings): string {
  return healthUrls.join(', ');
}

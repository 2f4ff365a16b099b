import { OperationError, UsageError } from '../../host/errors.ts';
import type { Files, Host } from '../../host/host.ts';
import { foreignOwner } from '../checkout/checkout.ts';
import { userName } from '../checkout/user-name.ts';
import { git } from '../git/git.ts';
import { type DeploymentLog, openDeploymentLog } from '../log/deployment-log.ts';
import type { RunWatch } from '../log/watch.ts';
import { linkName } from '../settings/contradictions.ts';
import { gitEnvironment } from '../settings/environment.ts';
import type { DeploymentSettings } from '../settings/settings.ts';

type Settings = Pick<DeploymentSettings, 'logFile' | 'appDir' | 'webRoots' | 'environment'>;

/**
 * Opens the deployment log. A log that cannot be written, or may not be at its place, is a `UsageError`, before
 * anything is touched.
 */
export async function openLog(
  host: Pick<Host, 'files' | 'clock' | 'talk' | 'run'>,
  settings: Settings,
  redact: (text: string) => string,
  watch?: Pick<RunWatch, 'logged'>,
): Promise<DeploymentLog> {
  const trouble = await logTrouble(host, settings);
  if (trouble !== undefined) throw new UsageError([trouble]);
  const stranger = await strangersTrouble(host.files, settings);
  if (stranger !== undefined) throw new UsageError([stranger]);
  try {
    return await openDeploymentLog(host, settings.logFile, redact, watch);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    throw new UsageError([`The deployment log cannot be written: ${error.message}.`]);
  }
}

/** Another user's run is refused anyway: a new log that belongs to this one would keep the right user out. */
async function strangersTrouble(files: Files, { logFile, appDir }: Settings): Promise<string | undefined> {
  const isThere = await files.stat(logFile).catch(() => 'unknown');
  const directory = await files.realPath(appDir).catch(() => undefined);
  if (isThere !== undefined || directory === undefined) return undefined;
  return foreignOwner(files, directory, await ownUser(files));
}

async function ownUser(files: Files): Promise<number> {
  return (await files.stat((await files.realPath('/proc/self')) ?? '/proc/self'))?.uid ?? 0;
}

/**
 * Why the deployment log cannot be at its place, as a sentence: its folder is missing, visitors could read it, or git
 * tracks it.
 */
export async function logTrouble(host: Pick<Host, 'files' | 'run'>, settings: Settings): Promise<string | undefined> {
  const { files } = host;
  const { logFile } = settings;
  if (/^~[^/]*(?:\/|$)/.test(logFile))
    return `The deployment log ${logFile} begins with ~, which only a shell expands: write the whole path.`;
  const folder = folderOf(logFile);
  const real = await files.realPath(folder).catch(() => undefined);
  if (real === undefined)
    return (await isMissing(files, folder))
      ? ((await troubleInWebRoot(files, settings, await wouldBe(files, logFile))) ??
          `The deployment log cannot be written: the folder of ${logFile} does not exist: ${await makingFolder(files, folder)}.`)
      : undefined;
  const path = `${real === '/' ? '' : real}/${logFile.slice(logFile.lastIndexOf('/') + 1)}`;
  return (await troubleInWebRoot(files, settings, path)) ?? (await troubleWithGit(host, settings, path));
}

function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  if (slash === -1) return '.';
  return slash === 0 ? '/' : path.slice(0, slash);
}

/** The path with the links of those of its folders that are there resolved. */
async function wouldBe(files: Files, path: string): Promise<string> {
  const folder = folderOf(path);
  const real = await files.realPath(folder).catch(() => undefined);
  const place = real ?? (folder === '.' ? folder : await wouldBe(files, folder));
  return `${place}/${path.slice(path.lastIndexOf('/') + 1)}`;
}

/** A folder that cannot be looked at is not missing: opening the log then says why. */
async function isMissing(files: Files, folder: string): Promise<boolean> {
  return files.stat(folder).then(
    (there) => there === undefined,
    () => false,
  );
}

/** The command that makes the folder for the user of this process, who often may not do it. */
async function makingFolder(files: Files, folder: string): Promise<string> {
  return `mkdir -p ${folder} && chown ${await userName(files, await ownUser(files))} ${folder}`;
}

/** Every visitor could read the log there. */
async function troubleInWebRoot(files: Files, { appDir, webRoots, logFile }: Settings, path: string) {
  for (const top of [appDir, `${appDir}/${linkName}`]) {
    for (const root of webRoots) {
      const real = await files.realPath(`${top}/${root}`).catch(() => undefined);
      if (real !== undefined && path.startsWith(`${real}/`))
        return `The deployment log ${logFile} lies in ${real}, which web servers show to everybody: choose a place outside of it, such as /var/log/holdfast/.`;
    }
  }
  return undefined;
}

/** A reset would overwrite the log, and each line of it would be a local edit. */
async function troubleWithGit({ files, run }: Pick<Host, 'files' | 'run'>, settings: Settings, path: string) {
  const { appDir, environment, logFile } = settings;
  const top = await files.realPath(appDir).catch(() => undefined);
  if (top === undefined || !path.startsWith(`${top}/`) || path.startsWith(`${top}/.git/`)) return undefined;
  const list = git('ls-files', '-z', '--', `:(top,literal)${path.slice(top.length + 1)}`);
  const { stdout, exitCode } = await run(list, { cwd: top, env: gitEnvironment(environment), timeoutSeconds: 30 });
  if (exitCode !== 0 || stdout === '') return undefined;
  return `The deployment log ${logFile} is a file that git tracks in ${top}, and every deploy would reset it: choose another one, such as /var/log/holdfast/app.log.`;
}

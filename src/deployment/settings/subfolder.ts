import type { Applied, AsidePreset, ReleasePreset } from './preset.ts';
import type { CacheSteps, Leaves, Publication, Step, Together } from './steps.ts';

/** The settings whose paths are from the application's top. */
interface OfApplication {
  /** From the checkout's top; absent where the application is there. */
  readonly subfolder?: string;
  readonly caches: CacheSteps;
  readonly steps: { readonly before: readonly Step[]; readonly after: readonly Step[] };
  readonly releases: Pick<ReleasePreset, 'shared' | 'folders'>;
  readonly aside?: AsidePreset;
  readonly environmentFile?: string;
  readonly applied: readonly Applied[];
  readonly manifests: readonly string[];
  readonly webRoots: readonly string[];
  readonly logs: readonly string[];
}

/** The folder of the application in this folder, which is a checkout or a release. */
export function applicationIn(directory: string, { subfolder }: Pick<OfApplication, 'subfolder'>): string {
  return subfolder === undefined ? directory : `${directory}/${subfolder}`;
}

/**
 * The settings of an application that is in a subfolder of its repository: its commands run there, and every path of
 * the preset and of the settings, which are from the application's top, becomes one from the checkout's top.
 */
export function inSubfolder<S extends OfApplication>(settings: S): S {
  const { subfolder, caches, steps, releases, aside, environmentFile, applied } = settings;
  if (subfolder === undefined) return settings;
  const inside = (path: string): string => (path === '.' ? subfolder : `${subfolder}/${path}`);
  const all = (paths: readonly string[]) => paths.map(inside);
  const stepsIn = (some: readonly Step[]) => some.map((step) => stepIn(step, subfolder, inside));
  const folders = Object.entries(releases.folders).map(
    ([name, { path, like }]) => [name, { path: inside(path), like: inside(like) }] as const,
  );
  return {
    ...settings,
    caches: { clear: stepsIn(caches.clear), rebuild: stepsIn(caches.rebuild) },
    steps: { before: stepsIn(steps.before), after: stepsIn(steps.after) },
    releases: { ...releases, shared: all(releases.shared), folders: Object.fromEntries(folders) },
    ...(aside === undefined ? {} : { aside: asideIn(aside, all) }),
    ...(environmentFile === undefined ? {} : { environmentFile: inside(environmentFile) }),
    applied: applied.map(({ path, result, ...each }) => ({
      ...each,
      path: inside(path),
      ...(result === undefined ? {} : { result: inside(result) }),
    })),
    manifests: all(settings.manifests),
    webRoots: all(settings.webRoots),
    logs: all(settings.logs),
  };
}

function asideIn({ own, linked, shallow }: AsidePreset, all: (paths: readonly string[]) => readonly string[]) {
  return { own: all(own), linked: all(linked), shallow: all(shallow) };
}

function stepIn(step: Step, folder: string, inside: (path: string) => string): Step {
  const { leaves, publish, together, whenChanged } = step;
  return {
    ...step,
    folder,
    ...(leaves === undefined ? {} : { leaves: leavesIn(leaves, inside) }),
    ...(publish === undefined ? {} : { publish: publish.map((each) => publicationIn(each, inside)) }),
    ...(together === undefined ? {} : { together: togetherIn(together, inside) }),
    ...(whenChanged === undefined ? {} : { whenChanged: whenChanged.map(inside) }),
  };
}

function leavesIn(leaves: Leaves, inside: (path: string) => string): Leaves {
  return 'absent' in leaves ? { absent: inside(leaves.absent) } : { present: inside(leaves.present) };
}

function publicationIn<P extends Publication>(publication: P, inside: (path: string) => string): P {
  return { ...publication, from: inside(publication.from), to: inside(publication.to) };
}

function togetherIn({ publish, ...together }: Together, inside: (path: string) => string): Together {
  return publish === undefined
    ? together
    : { ...together, publish: publish.map((each) => publicationIn(each, inside)) };
}

/** What one process for all steps is given, which runs in the application's folder. */
export function fromApplication(step: Step): Step {
  const { folder } = step;
  if (folder === undefined) return step;
  return stepIn(step, folder, (path) => path.slice(folder.length + 1));
}

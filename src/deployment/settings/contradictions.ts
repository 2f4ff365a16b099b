/** The symbolic link at the checkout's top that visitors come through. */
export const linkName = 'current';

/** What contradicts the mode `releases` in settings that are not validated yet, one sentence a mistake. */
export function releaseContradictions(given: {
  readonly clean?: unknown;
  readonly releases?: unknown;
}): readonly string[] {
  const { shared, folder = 'releases' } = (given.releases ?? {}) as Readonly<Record<string, unknown>>;
  const paths = Array.isArray(shared) ? shared.filter((path) => typeof path === 'string') : [];
  const place = typeof folder === 'string' ? withoutSlash(folder) : '';
  const isCleaned = (given.clean as { readonly enabled?: unknown } | undefined)?.enabled === true;
  return [
    ...(isCleaned
      ? ['deployment.clean is for the mode "in-place": a release is always a new folder, with nothing to clean.']
      : []),
    ...(isTaken(place)
      ? [`deployment.releases.folder is ${JSON.stringify(folder)}, which is not a folder for releases alone.`]
      : []),
    ...paths
      .filter((path) => overlap(path, linkName) || overlap(path, place))
      .map(
        (path) =>
          `deployment.releases.shared names ${JSON.stringify(path)}, which overlaps the folder of the releases or the link to the live one.`,
      ),
    ...paths
      .filter((path, index) => paths.slice(index + 1).some((other) => overlap(path, other)))
      .map((path) => `deployment.releases.shared names ${JSON.stringify(path)} more than once.`),
  ];
}

/** Whether the path is used by git, by the link or by the checkout itself, or leads out of the checkout. */
function isTaken(place: string): boolean {
  const parts = place.split('/');
  return parts.some((part) => part === '.' || part === '..') || parts[0] === '.git' || overlap(place, linkName);
}

function overlap(one: string, other: string): boolean {
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
}

function withoutSlash(path: string): string {
  return path.replace(/\/+$/, '');
}

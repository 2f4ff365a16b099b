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

/** What contradicts `health.before` in settings that are not validated yet, one sentence a mistake. */
export function healthBeforeTrouble(
  given: {
    readonly health?: unknown;
    readonly mode?: unknown;
    readonly variant?: unknown;
    readonly maintenance?: unknown;
  },
  isPhp: boolean,
): readonly string[] {
  if ((given.health as { readonly before?: unknown } | undefined)?.before !== true) return [];
  const { mode, variant, maintenance } = given;
  const isPage =
    maintenance === true || (typeof maintenance === 'object' && maintenance !== null && !('file' in maintenance));
  return [
    ...(mode === 'releases'
      ? []
      : ['is for the mode "releases": in place there is nothing to ask before visitors see it']),
    ...(variant === 'basic' ? ['is on, and the variant "basic" checks nothing'] : []),
    ...(isPhp ? [] : ['is on, and the preset is not for PHP, whose own server would show the release']),
    ...(isPhp && isPage
      ? [
          'is on, and so is the maintenance mode of the application, in which the release answers 503 too: name a file that the web server looks for, maintenance: { file: PATH }',
        ]
      : []),
  ].map((said) => `deployment.health.before ${said}.`);
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

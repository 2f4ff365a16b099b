import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An entry of package-lock.json. */
interface Locked {
  readonly version: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

type Lock = Readonly<Record<string, Locked>>;

/**
 * The folders below `node_modules` that the program needs: `loaded` are those that it loads when it runs, `all` has
 * those too that are part of its build. Throws where what is installed is not what the lock file says.
 */
export function runtimePackages(root: string): { readonly loaded: readonly string[]; readonly all: readonly string[] } {
  const lock: Lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const built = globSync('dist/cli/*.js', { cwd: root }).map((path) => readFileSync(join(root, path), 'utf8'));
  if (built.length === 0) throw new Error('dist/ is missing: npm run build makes it.');
  const names = Object.keys(lock['']?.dependencies ?? {});
  const isImported = (name: string): boolean =>
    built.some((text) => text.includes(`"${name}"`) || text.includes(`"${name}/`));
  const all = withDependencies(lock, names);
  for (const path of all) checkInstalled(root, path, lock[path]);
  return { loaded: withDependencies(lock, names.filter(isImported)), all };
}

function withDependencies(lock: Lock, names: readonly string[]): readonly string[] {
  const found = new Set<string>();
  const add = (name: string, dependent: string): void => {
    const path = placeOf(lock, name, dependent);
    // Types are for compilers.
    if (path === undefined || found.has(path) || name.startsWith('@types/')) return;
    found.add(path);
    for (const dependency of Object.keys(lock[path]?.dependencies ?? {})) add(dependency, path);
  };
  for (const name of names) add(name, '');
  return [...found].sort();
}

/**
 * Where Node finds that package from the folder of the dependent: in its own node_modules, or in those of the folders
 * above.
 */
function placeOf(lock: Lock, name: string, dependent: string): string | undefined {
  const own = `${dependent === '' ? '' : `${dependent}/`}node_modules/${name}`;
  if (own in lock) return own;
  const above = dependent.lastIndexOf('/node_modules/');
  return dependent === '' ? undefined : placeOf(lock, name, above === -1 ? '' : dependent.slice(0, above));
}

function checkInstalled(root: string, path: string, locked: Locked | undefined): void {
  const manifest = join(root, path, 'package.json');
  const version = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : 'missing';
  if (version !== locked?.version)
    throw new Error(`${path} is ${version}, and the lock file says ${locked?.version}: run npm ci.`);
}

/** One text for each package that is in the program: its name and licence. */
export function licencesOf(root: string): readonly string[] {
  return runtimePackages(root).all.map((path) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
    const files = globSync('{LICENSE,LICENCE,License,license,NOTICE}*', { cwd: join(root, path) }).sort();
    const texts = files.map((file) => readFileSync(join(root, path, file), 'utf8'));
    return [`${name} ${version}: ${license}`, ...texts].join('\n\n');
  });
}

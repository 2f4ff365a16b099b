import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

/** A package that is in the program's files, or is installed beside them. */
interface Component {
  readonly folder: string;
  readonly name: string;
  readonly locked: Locked;
  readonly isBundled: boolean;
}

/**
 * Writes into `target` the notices of what is bundled, and a CycloneDX 1.6 document of all packages that the program
 * runs with. `inputs` are the files that were put into the bundle. The same lock file makes the same bytes.
 */
export function writeNotices(target: string, inputs: readonly string[]): void {
  const components = componentsOf(inputs);
  const bundled = components.filter(({ isBundled }) => isBundled);
  writeFileSync(
    join(target, 'THIRD-PARTY-NOTICES'),
    bundled.map((one) => noticeOf(one, bundled)).join(`\n${'-'.repeat(80)}\n\n`),
  );
  writeFileSync(join(target, 'holdfast.cdx.json'), `${JSON.stringify(sbomOf(components), null, 2)}\n`);
}

function componentsOf(inputs: readonly string[]): readonly Component[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const bundled = new Set(inputs.flatMap((input) => /^(?:.*node_modules\/)(?:@[^/]+\/)?[^/]+/.exec(input) ?? []));
  return Object.entries(packages as Readonly<Record<string, Locked>>)
    .filter(([folder, { dev, link }]) => folder.includes('node_modules/') && !link && (!dev || bundled.has(folder)))
    .map(([folder, locked]) => ({
      folder,
      name: folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length),
      locked,
      isBundled: bundled.has(folder),
    }))
    .toSorted((a, b) => (a.folder < b.folder ? -1 : 1));
}

const texts = '{LICEN[CS]E,LICEN[CS]E.*,licen[cs]e,licen[cs]e.*,COPYING,UNLICENSE}';

function noticeOf(component: Component, all: readonly Component[]): string {
  const { folder, name, locked } = component;
  const from = withText(component, all);
  const [file] = globSync(texts, { cwd: join(root, from.folder) });
  if (file === undefined) throw new Error(`${name} is bundled, and no text of ${locked.license} is at hand`);
  const notice = join(root, folder, 'NOTICE');
  const more = existsSync(notice) ? `\n${readFileSync(notice, 'utf8').trim()}\n` : '';
  const text = readFileSync(join(root, from.folder, file), 'utf8').trim();
  return `${name} ${locked.version} (${locked.license})\n\n${text}\n${more}`;
}

/** The package, or one of the same owner and licence where it has no text of its own. */
function withText(component: Component, all: readonly Component[]): Component {
  const owner = ({ name }: Component): string => name.split('/')[0] ?? '';
  const hasText = ({ folder }: Component): boolean => globSync(texts, { cwd: join(root, folder) }).length > 0;
  const isAlike = (one: Component): boolean =>
    owner(one) === owner(component) && one.locked.license === component.locked.license;
  return hasText(component) ? component : (all.find((one) => isAlike(one) && hasText(one)) ?? component);
}

function sbomOf(components: readonly Component[]): object {
  const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': 'holdfast', name, version, licenses: [{ expression: license }] },
    },
    components: components.map(componentOf),
  };
}

function componentOf({ folder, name, locked: { version, license, integrity }, isBundled }: Component): object {
  const [algorithm, digest] = integrity?.split('-') ?? [];
  return {
    type: 'library',
    'bom-ref': folder,
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
    ...(algorithm !== 'sha512' || digest === undefined
      ? {}
      : { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }),
    properties: [{ name: 'holdfast:bundled', value: String(isBundled) }],
  };
}

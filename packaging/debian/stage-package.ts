import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  globSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { fetchNode } from './fetch-node.ts';

export interface Package {
  /** The clone, built. */
  readonly root: string;
  readonly version: string;
  /** Debian's name: amd64, arm64. */
  readonly architecture: string;
  readonly manifest: { readonly description: string; readonly devDependencies: { readonly node: string } };
  /** Seconds since 1970: the time of every file. */
  readonly builtAt: number;
}

const home = 'usr/lib/holdfast';
/** What is started by its name. */
const programs = ['bin/holdfast.js', 'packaging/webhook-listener.js'];
const documents = 'usr/share/doc/holdfast';
const executables = /\/(bin\/(node|holdfast\.js)|packaging\/(holdfast-own|webhook-listener\.js)|DEBIAN\/p\w+)$/;

/** Lays out in `staged` what dpkg-deb packs: the program, its documents, its units and what dpkg has to know. */
export function stagePackage(staged: string, wanted: Package): void {
  const node = fetchNode(wanted.manifest.devDependencies.node, wanted.architecture);
  stageProgram(join(staged, home, 'package'), wanted, node.program);
  stageDocuments(join(staged, documents), wanted, node.licence);
  stageManual(join(staged, 'usr/share'), wanted.root);
  stageUnits(join(staged, 'usr/lib/systemd/system'), wanted.root);
  const identity = `${wanted.version}-${digestOf(join(staged, home), 'sha256').slice(0, 8)}`;
  for (const name of programs) startWithOwnNode(join(staged, home, 'package', name), identity);
  mkdirSync(join(staged, 'usr/bin'), { recursive: true });
  // kubectl finds its plugins by their names.
  for (const name of ['holdfast', 'kubectl-holdfast'])
    symlinkSync(`/${home}/current/bin/holdfast.js`, join(staged, 'usr/bin', name));
  stageControl(staged, wanted, identity);
  for (const path of [staged, ...entriesOf(staged)]) fixModeAndTime(path, wanted.builtAt);
}

function stageProgram(folder: string, { root, version, manifest }: Package, node: Buffer): void {
  mkdirSync(join(folder, 'packaging'), { recursive: true });
  for (const name of ['bin', 'dist'])
    cpSync(join(root, name), join(folder, name), {
      recursive: true,
      filter: (path) => !/dist\/(man|completions)$/.test(path),
    });
  cpSync(join(root, 'packaging/webhook-listener.js'), join(folder, 'packaging/webhook-listener.js'));
  writeFileSync(join(folder, 'bin/node'), node);
  const { devDependencies: _, scripts: __, ...kept } = { scripts: {}, ...manifest };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...kept, version }, null, 2)}\n`);
}

/** The manual pages, and the completion where each shell looks for that of packages. */
function stageManual(folder: string, root: string): void {
  const pages = join(folder, 'man/man1');
  mkdirSync(pages, { recursive: true });
  for (const name of readdirSync(join(root, 'dist/man')))
    writeFileSync(join(pages, `${name}.gz`), gzipSync(readFileSync(join(root, 'dist/man', name)), { level: 9 }));
  for (const [from, to] of Object.entries(completions)) {
    mkdirSync(dirname(join(folder, to)), { recursive: true });
    cpSync(join(root, 'dist/completions', from), join(folder, to));
  }
}

const completions = {
  'holdfast.bash': 'bash-completion/completions/holdfast',
  'holdfast.zsh': 'zsh/vendor-completions/_holdfast',
  'holdfast.fish': 'fish/vendor_completions.d/holdfast.fish',
};

const documentPaths = [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs', 'schemas', 'packaging', 'examples'],
  ...['packages/embedded-cluster/README.md', 'packages/embedded-cluster/record/README.md'],
];

function stageDocuments(folder: string, { root }: Package, nodeLicence: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of documentPaths)
    cpSync(join(root, name), join(folder, name), {
      recursive: true,
      filter: (path) => !path.includes('packaging/debian'),
    });
  const own = readFileSync(join(root, 'LICENSE'), 'utf8');
  const licences = [
    `holdfast\n\n${own}`,
    `Node.js\n\n${nodeLicence}`,
    readFileSync(join(root, 'dist/THIRD-PARTY-NOTICES'), 'utf8'),
  ];
  writeFileSync(join(folder, 'copyright'), licences.join(`\n${'-'.repeat(80)}\n\n`));
}

/** The units name the places of a program that was installed by hand; these are dpkg's. */
function stageUnits(folder: string, root: string): void {
  mkdirSync(folder, { recursive: true });
  for (const path of globSync('packaging/*.{service,timer}', { cwd: root })) {
    const text = readFileSync(join(root, path), 'utf8')
      .replaceAll('/usr/local/bin/holdfast', '/usr/bin/holdfast')
      .replaceAll('/usr/bin/node ', '')
      .replaceAll('/usr/local/lib/holdfast/', `/${home}/current/packaging/`);
    if (text.includes('/usr/local')) throw new Error(`${path} names a place under /usr/local that is not known here.`);
    writeFileSync(join(folder, path.slice('packaging/'.length)), text);
  }
}

/**
 * With that of its own version, whatever `current` leads to a moment later; and `postinst` sees by it which versions
 * run.
 */
function startWithOwnNode(program: string, identity: string): void {
  const [, ...lines] = readFileSync(program, 'utf8').split('\n');
  writeFileSync(program, [`#!/${home}/versions/${identity}/bin/node`, ...lines].join('\n'));
}

function stageControl(staged: string, { version, architecture, manifest }: Package, identity: string): void {
  const folder = join(staged, 'DEBIAN');
  const files = entriesOf(staged).filter((path) => lstatSync(path).isFile());
  const kibibytes = files.reduce((sum, path) => sum + Math.ceil(lstatSync(path).size / 1024), 0);
  const sums = files.map((path) => `${md5Of(path)}  ${path.slice(staged.length + 1)}\n`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'md5sums'), sums.join(''));
  for (const name of ['control', 'postinst', 'prerm']) {
    const text = readFileSync(join(import.meta.dirname, name), 'utf8')
      .replaceAll('@VERSION@', version)
      .replaceAll('@ARCHITECTURE@', architecture)
      .replaceAll('@INSTALLED_SIZE@', String(kibibytes))
      .replaceAll('@DESCRIPTION@', manifest.description.replace(/\.$/, ''))
      .replaceAll('@IDENTITY@', identity);
    writeFileSync(join(folder, name), text);
  }
}

const md5Of = (path: string): string => createHash('md5').update(readFileSync(path)).digest('hex');

/** Of the names and the content of every file below the folder. */
function digestOf(folder: string, algorithm: string): string {
  const digest = createHash(algorithm);
  for (const path of entriesOf(folder).filter((entry) => lstatSync(entry).isFile()))
    digest.update(`${path.slice(folder.length)}\0${md5Of(path)}\0`);
  return digest.digest('hex');
}

/** Everything below the folder, in one order everywhere. */
export function entriesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => join(folder, name));
}

/** Neither the umask nor the clock of whoever builds is in the package. */
function fixModeAndTime(path: string, seconds: number): void {
  const entry = lstatSync(path);
  if (!entry.isSymbolicLink()) chmodSync(path, entry.isDirectory() || executables.test(path) ? 0o755 : 0o644);
  lutimesSync(path, seconds, seconds);
}

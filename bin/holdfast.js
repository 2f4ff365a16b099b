#!/usr/bin/env node
// JavaScript that an older Node can parse, so that it can say what is missing. package.json's `engines` is the Node
// that npm needs to install a clone, which brings its own Node; what the program needs is checked here.
var version = process.versions.node.split('.').map(Number);
if (version[0] < 24 || (version[0] === 24 && version[1] < 12)) {
  process.stderr.write(
    `holdfast needs Node 24.12 or newer, and this is Node ${process.versions.node}: install a newer one, or run npx holdfast in a clone, where npm ci has installed it.\n`,
  );
  process.exit(2);
}
var fs = await import('node:fs');
var module = await import('node:module');
var os = await import('node:os');
var path = await import('node:path');
// NODE_COMPILE_CACHE has named a folder already.
if (module.getCompileCacheDir() === undefined)
  enableCompileCache(path.join(os.tmpdir(), `holdfast-${process.getuid?.()}`));
var root = path.join(import.meta.dirname, '..');
var source = path.join(root, 'src');
var cluster = path.join(root, 'packages', 'embedded-cluster', 'src');
var built = path.join(root, 'dist', 'cli', 'main.js');
await import(isChangedSince(built) ? path.join(source, 'cli', 'main.ts') : built);

/** Whether a clone's sources are newer than the build. A package has no sources. */
function isChangedSince(file) {
  if (!fs.existsSync(source)) return false;
  var builtAt = fs.statSync(file, { throwIfNoEntry: false });
  return builtAt === undefined || [source, cluster].some((folder) => holdsNewer(folder, builtAt.mtimeMs));
}

/**
 * A folder's own time changes when a file is added or removed. A dangling link, such as an editor's lock file, is not a
 * source.
 */
function holdsNewer(folder, atMs) {
  if (fs.statSync(folder).mtimeMs >= atMs) return true;
  return fs.readdirSync(folder, { withFileTypes: true }).some((entry) => {
    var name = path.join(folder, entry.name);
    if (entry.isDirectory()) return holdsNewer(name, atMs);
    var found = fs.statSync(name, { throwIfNoEntry: false });
    return found !== undefined && found.mtimeMs >= atMs;
  });
}

/**
 * Keeps compiled code in a folder that nobody else can write to, and does without where somebody else can: what they
 * put there would run as this user. Node's default folder lies in one that belongs to the first user of the machine who
 * needed it.
 */
function enableCompileCache(folder) {
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = fs.lstatSync(folder);
    const isPrivate = found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
    if (found.isDirectory() && isPrivate) module.enableCompileCache(folder);
  } catch {
    // Slower, and nothing else.
  }
}

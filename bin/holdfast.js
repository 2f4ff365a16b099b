#!/usr/bin/env node
// Plain old JavaScript, so that an older Node can read it far enough to say what is missing.
var version = process.versions.node.split('.').map(Number);
if (version[0] < 24 || (version[0] === 24 && version[1] < 12)) {
  process.stderr.write(`holdfast needs Node 24.12 or newer, and this is Node ${process.versions.node}.\n`);
  process.exit(2);
}
var fs = await import('node:fs');
var module = await import('node:module');
var path = await import('node:path');
module.enableCompileCache();
var root = path.join(import.meta.dirname, '..');
var source = path.join(root, 'src');
var built = path.join(root, 'dist', 'cli', 'main.js');
await import(isChangedSince(built) ? path.join(source, 'cli', 'main.ts') : built);

/** Whether a clone's sources are newer than what was built of them; a package has none. */
function isChangedSince(file) {
  if (!fs.existsSync(source)) return false;
  var builtAt = fs.statSync(file, { throwIfNoEntry: false });
  return builtAt === undefined || holdsNewer(source, builtAt.mtimeMs);
}

/** A folder is as new as the last name that came or went. A link that leads nowhere, as an editor's lock, is no source. */
function holdsNewer(folder, atMs) {
  if (fs.statSync(folder).mtimeMs >= atMs) return true;
  return fs.readdirSync(folder, { withFileTypes: true }).some((entry) => {
    var name = path.join(folder, entry.name);
    if (entry.isDirectory()) return holdsNewer(name, atMs);
    var found = fs.statSync(name, { throwIfNoEntry: false });
    return found !== undefined && found.mtimeMs >= atMs;
  });
}

#!/usr/bin/env node
// Plain old JavaScript, so that an older Node can read it far enough to say what is missing.
var version = process.versions.node.split('.').map(Number);
if (version[0] < 24 || (version[0] === 24 && version[1] < 12)) {
  process.stderr.write(`holdfast needs Node 24.12 or newer, and this is Node ${process.versions.node}.\n`);
  process.exit(2);
}
var development = new URL('../src/cli/main.ts', import.meta.url);
var fs = await import('node:fs');
var module = await import('node:module');
module.enableCompileCache();
await import(fs.existsSync(development) ? development.href : new URL('../dist/cli/main.js', import.meta.url).href);

// Makes dist/ from src/: a few files in place of hundreds, because a program that is started for every deploy has to
// start quickly. Only what most commands load at once is put in; the other dependencies are loaded by the few that need
// them.
import { cpSync, globSync, rmSync } from 'node:fs';
import { basename } from 'node:path';

// `npm ci --omit=dev` installs no esbuild: such a clone runs its sources.
const esbuild = await import('esbuild').catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND' || !process.argv.includes('--if-installed')) throw error;
  process.stdout.write('esbuild is not installed: holdfast will run from its sources\n');
  process.exit();
});
rmSync('dist', { recursive: true, force: true });
const { metafile } = await esbuild.build({
  metafile: true,
  // What is started by its file's name has to lie beside whatever starts it.
  entryPoints: [
    { in: 'src/cli/main.ts', out: 'main' },
    { in: 'packages/embedded-cluster/src/listen/namespace-sockets.ts', out: 'namespace-sockets' },
    { in: 'src/validation/downtime-log/log-pieces.ts', out: 'log-pieces' },
    { in: 'src/cli/cluster/rehearsal-thread.ts', out: 'rehearsal-thread' },
    // What `import … from 'holdfast'` gives.
    { in: 'src/library/index.ts', out: 'library' },
  ],
  outdir: 'dist/cli',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24.12',
  external: ['@aws-crypto/*', '@aws-sdk/*', '@kubernetes/*', '@smithy/*', 'nodemailer'],
  // Commander and yaml are CommonJS.
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
  },
  logLevel: 'warning',
});
// Scripts that PHP runs: a module reads those that lie beside it.
for (const file of globSync('src/**/*.php')) cpSync(file, `dist/cli/${basename(file)}`);
// What the dashboard sends to browsers, as it is.
cpSync('src/dashboard/page', 'dist/cli/page', { recursive: true, filter: (path) => !path.endsWith('tsconfig.json') });
cpSync('src/figures/figures.js', 'dist/cli/page/figures.js');
// The manual pages and the completion of shells are made from the table of the commands.
const { writeManual } = await import('./packaging/manual.ts');
writeManual('dist');
// What the embedded API server reads at the first body and the first table: the types of the API, and its columns.
cpSync('packages/embedded-cluster/src/api-server/decoding/definitions.json.gz', 'dist/cli/definitions.json.gz');
cpSync('packages/embedded-cluster/src/api-server/tables/columns.json.gz', 'dist/cli/columns.json.gz');
// Who wrote what is bundled, and what the program runs with.
const { writeNotices } = await import('./packaging/notices.ts');
writeNotices('dist', Object.keys(metafile.inputs));

// Makes dist/ from src/: a few files in place of hundreds, because a program that is started for every deploy has to
// start quickly. It holds all that the program needs of its dependencies, so that the package has none: what only a few
// commands need is in files that these load.
import { cpSync, globSync, rmSync } from 'node:fs';
import { basename } from 'node:path';

// `npm ci --omit=dev` installs nothing that the program is built from.
const esbuild = await import('esbuild').catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND' || !process.argv.includes('--if-installed')) throw error;
  process.stdout.write('esbuild is not installed: run npm ci without --omit=dev, which builds holdfast\n');
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
    { in: 'src/what-if/node-asker.ts', out: 'node-asker' },
    // What `import … from 'holdfast'` gives.
    { in: 'src/library/index.ts', out: 'library' },
  ],
  outdir: 'dist/cli',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24.12',
  // The SDK loads it where it is installed, and does without it here.
  external: ['aws-crt', '@aws-sdk/signature-v4-crt', '@aws-sdk/signature-v4a'],
  plugins: [{ name: 'parts', setup: takeParts }],
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

/** Importing this library does nothing by itself: of its thousand files the bundle takes those that are used. */
function takeParts({ onResolve, resolve }) {
  onResolve({ filter: /^[.@]/ }, async ({ path, pluginData, ...options }) => {
    const isOfLibrary = path === '@kubernetes/client-node' || options.importer.includes('/@kubernetes/client-node/');
    if (pluginData === 'resolving' || !isOfLibrary) return undefined;
    return { ...(await resolve(path, { ...options, pluginData: 'resolving' })), sideEffects: false };
  });
}

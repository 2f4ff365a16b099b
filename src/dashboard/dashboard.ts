import type { Files, Host } from '../host/host.ts';
import { type Page, type Served, serve } from '../host/serve.ts';
import { style } from '../report/html/style.ts';
import { sourceOf } from '../report/markup.ts';
import { followRun } from './follow-run.ts';
import { stream } from './stream.ts';

/**
 * Serves a run folder as a read-only page on loopback until it is closed. Port 0 is any free port; a port that is taken is an `OperationError`.
 * Only the folder's journal and downtime log are read, and only the series made of them is served.
 */
export async function dashboard(
  host: Pick<Host, 'clock' | 'files'>,
  folder: string,
  { port }: { readonly port: number },
): Promise<Served> {
  const run = followRun(host.files, folder);
  const pageFiles = await readPageFiles(host.files);
  return serve({ host: '127.0.0.1', port }, async (path, { host: name, gone }) => {
    const events = { type: 'text/event-stream', body: stream(host.clock, run, gone) };
    const page = path === '/events' ? events : await pageOf(host.files, path, pageFiles.get(path));
    return { ...(isLoopback(name) ? page : foreign), headers };
  });
}

async function pageOf(files: Files, path: string, name: string | undefined): Promise<Page> {
  if (name === undefined) return pages[path] ?? nothing;
  const body = await files.read(`${pageFolder}/${name}`);
  return body === undefined ? nothing : { type: typeOf(name) ?? nothing.type, body };
}

const pages: Readonly<Record<string, Page>> = {
  // The report's colours, signs and tables.
  '/report.css': { type: 'text/css; charset=utf-8', body: sourceOf(style) },
  // Browsers request it, and log a 404 as an error.
  '/favicon.ico': { type: 'image/x-icon', body: '', status: 204 },
};

/** The page's files by their path; no other path is served from a file. */
async function readPageFiles(files: Files): Promise<ReadonlyMap<string, string>> {
  const names = (await files.list(pageFolder)).filter((name) => typeOf(name) !== undefined);
  return new Map([['/', 'page.html'], ...names.map((name) => [`/${name}`, name] as const)]);
}

const pageFolder = `${import.meta.dirname}/page`;

function typeOf(name: string): string | undefined {
  const type = types[name.slice(name.lastIndexOf('.') + 1)];
  return type && `${type}; charset=utf-8`;
}

const types: Readonly<Record<string, string>> = { html: 'text/html', css: 'text/css', js: 'text/javascript' };

const nothing: Page = { type: 'text/plain', body: 'not found\n', status: 404 };
/** RFC 9110, section 15.5.20. */
const foreign: Page = {
  type: 'text/plain',
  body: 'this page is only served as 127.0.0.1 or localhost\n',
  status: 421,
};

/** A foreign page whose name resolves to loopback (DNS rebinding) sends that name as its host. */
const isLoopback = (host: string): boolean => /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i.test(host);

/** Allows no foreign resources, no scripts but the page's own files, and no text as markup (Trusted Types). */
const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

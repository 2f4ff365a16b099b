import type { Files, Host } from '../host/host.ts';
import { type Page, type Served, serve } from '../host/serve.ts';
import { style } from '../report/html/style.ts';
import { sourceOf } from '../report/markup.ts';
import { followRun } from './follow-run.ts';
import { stream } from './stream.ts';

/**
 * Serves a run folder as a page on loopback, for reading only, until it is closed. Port 0 is any that is free; one that is taken is an
 * `OperationError`. Of the folder nothing but its two files is read, and nothing of them is served but the series made of them.
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
  // Every browser asks for it, and tells a 404 as an error.
  '/favicon.ico': { type: 'image/x-icon', body: '', status: 204 },
};

/** What the page is made of, by its path; no other leads to a file. */
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

const nothing: Page = { type: 'text/plain', body: 'nothing here\n', status: 404 };
/** RFC 9110, section 15.5.20. */
const foreign: Page = {
  type: 'text/plain',
  body: 'this page is served to 127.0.0.1 and localhost alone\n',
  status: 421,
};

/** A page of elsewhere whose name leads here (DNS rebinding) comes with that name. */
const isLoopback = (host: string): boolean => /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i.test(host);

/** Nothing from anywhere else, no script but the page's own files, and no text that becomes markup (Trusted Types). */
const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

import { createHash } from 'node:crypto';
import { existsSync, globSync, lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Checkout } from './checkout.ts';

/** What the commands of a deploy write by themselves, and the releases. */
const written = /^(?:calls|storage\/cached-page|storage\/vendor\/.*|current|releases\/.*)$/s;

/**
 * Every file of the checkout that is not git's, ignored ones too: its mode and a hash of its bytes, or where its link
 * leads.
 */
export function fingerprints({ app, git }: Pick<Checkout, 'app' | 'git'>): ReadonlyMap<string, string> {
  if (!existsSync(app)) return new Map();
  const paths = git(app, 'ls-files', '-z', '--others').split('\0');
  const present = paths.filter((path) => path !== '' && !written.test(path));
  // What the pre-step moves aside is still there, in the evidence of its run.
  const moved = globSync('.git/holdfast/runs/*/untracked/**', { cwd: app })
    .filter((path) => !lstatSync(join(app, path)).isDirectory())
    .map((path) => [path.replace(/^(?:[^/]+\/){5}/, ''), path] as const);
  const all = [...present.map((path) => [path, path] as const), ...moved];
  return new Map(all.map(([name, path]) => [name, fingerprint(join(app, path))] as const).sort());
}

function fingerprint(path: string): string {
  const there = lstatSync(path);
  const mode = (there.mode & 0o7777).toString(8);
  if (there.isSymbolicLink()) return `link to ${readlinkSync(path)}`;
  return `${mode} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`;
}

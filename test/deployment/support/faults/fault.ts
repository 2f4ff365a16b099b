import { globSync } from 'node:fs';
import { basename, join } from 'node:path';

/** A fault that a deploy may meet, with the tests that show what is done about it, or why none does. */
export interface Fault {
  readonly number: number;
  readonly fault: string;
  readonly proofs?: readonly Proof[];
  /** A whole sentence. */
  readonly whyNot?: string;
}
/** A test that shows what is done about it. */
export interface Proof {
  readonly test: { readonly file: string; readonly name: string };
}

export const proof = (test: Proof['test']): Proof => ({ test });

/** A fault that one test shows. */
export const guard = (number: number, fault: string, test: Proof['test']): Fault => ({
  number,
  fault,
  proofs: [proof(test)],
});

const testIn = (folder: string) => (file: string, name: string) => ({
  file: fileNamed(`test/${folder}/${file}.test.ts`),
  name,
});
export const deploymentTest = testIn('deployment');
export const notificationTest = testIn('notification');
export const hostTest = testIn('host');

const root = join(import.meta.dirname, '../../../..');

/**
 * The one file of that name below the first two folders of the path; the path itself where there is none, or more than
 * one.
 */
function fileNamed(path: string): string {
  const [top, folder] = path.split('/');
  const found = globSync(`${top}/${folder}/**/${basename(path)}`, { cwd: root });
  return found.length === 1 ? (found[0] ?? path) : path;
}

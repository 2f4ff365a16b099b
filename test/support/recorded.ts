import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const updates = (): boolean => process.env.TEST_UPDATE === '1';

/**
 * Demands this text of the recorded file. `npm test -- --update` writes the file instead: read what git shows of it
 * before you commit it.
 */
export function assertRecorded(file: URL, text: string): void {
  if (updates()) record(file, text);
  assert.ok(existsSync(file), `${file.pathname} is not there: npm test -- --update writes it`);
  assert.equal(text, readFileSync(file, 'utf8'), `npm test -- --update writes ${file.pathname}`);
}

/** The same of the first part of a document that the pattern finds. */
export function assertRecordedIn(file: URL, pattern: RegExp, text: string): void {
  const document = readFileSync(file, 'utf8');
  const [part] = pattern.exec(document) ?? [];
  assert.ok(part !== undefined, `${file.pathname} has no part like ${pattern}`);
  if (updates())
    record(
      file,
      document.replace(part, () => text),
    );
  else assert.equal(text, part, `npm test -- --update writes ${file.pathname}`);
}

function record(file: URL, text: string): void {
  mkdirSync(new URL('.', file), { recursive: true });
  writeFileSync(file, text);
}

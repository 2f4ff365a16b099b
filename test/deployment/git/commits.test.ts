import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isCommitId, isEmptyTree } from '../../../src/deployment/git/commits.ts';

for (const format of ['sha1', 'sha256']) {
  test(`the tree without files is known in a repository of ${format}, and no other object is it`, (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-commits-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const git = (...words: readonly string[]) => execFileSync('git', words, { cwd: folder, encoding: 'utf8' }).trim();
    git('init', '--quiet', `--object-format=${format}`);
    const tree = git('hash-object', '-t', 'tree', '--', '/dev/null');
    assert.ok(isCommitId(tree) && isEmptyTree(tree), tree);
    assert.equal(isEmptyTree(git('hash-object', '-t', 'blob', '--', '/dev/null')), false);
  });
}

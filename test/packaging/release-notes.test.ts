import assert from 'node:assert/strict';
import { test } from 'node:test';
import { released } from '../../packaging/release-notes.ts';

test('what is not released yet becomes the section of the version', () => {
  const before = '# Changelog\n\n## Unreleased\n\n- new\n\n## 0.1.0\n\nThe first release.\n\n### Validation\n\n- old\n';
  assert.equal(
    released(before, '0.2.0'),
    '# Changelog\n\n## 0.2.0\n\n- new\n\n## 0.1.0\n\nThe first release.\n\n### Validation\n\n- old\n',
  );
  // The first version was written about before it had a tag.
  assert.equal(released(before, '0.1.0'), '# Changelog\n\n## 0.1.0\n\n- new\n\n### Validation\n\n- old\n');
  assert.throws(() => released('# Changelog\n', '0.2.0'), /neither/);
});

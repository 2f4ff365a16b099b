/**
 * The changelog in which what is not released yet is of that version. A section that the version has already, because
 * it was never tagged, goes on below.
 *
 * @throws Error where there is nothing to release
 */
export function released(changelog: string, version: string): string {
  const heading = /^## Unreleased\n/m;
  const own = `## ${version}\n`;
  if (!heading.test(changelog)) {
    if (changelog.includes(own)) return changelog;
    throw new Error(`CHANGELOG.md has neither a section Unreleased nor one of ${version}.`);
  }
  const without = changelog.replace(`\n${own}\nThe first release.\n`, '');
  return without.replace(heading, own);
}

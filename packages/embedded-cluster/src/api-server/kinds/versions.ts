/**
 * The versions of a group: stable ones first, then betas, the highest number first (apimachinery, pkg/version,
 * CompareKubeAwareVersionStrings).
 */
export function versionsOf(kinds: readonly { readonly version: string }[]): readonly string[] {
  return [...new Set(kinds.map(({ version }) => version))].toSorted((a, b) => {
    const [one, other] = [rankOf(a), rankOf(b)];
    return other.stage - one.stage || other.major - one.major || other.minor - one.minor || (a < b ? -1 : 1);
  });
}

function rankOf(version: string) {
  const [match, major, name, minor] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? [];
  if (match === undefined) return { stage: 0, major: 0, minor: 0 };
  const stage = name === undefined ? 3 : name === 'beta' ? 2 : 1;
  return { stage, major: Number(major), minor: Number(minor ?? 0) };
}

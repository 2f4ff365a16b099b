const component = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const host = '[A-Za-z0-9](?:[-A-Za-z0-9]*[A-Za-z0-9])?';
const domain = `(?:${host}(?:\\.${host})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const digest = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const reference = new RegExp(
  `^(?<name>(?:${domain}/)?${component}(?:/${component})*)(?::(?<tag>\\w[\\w.-]{0,127}))?(?<digest>@${digest})?$`,
);
const longestName = 255;

/**
 * The tag of an image: `latest` where it has neither a tag nor a digest, none of what is no image's name (distribution,
 * reference/regexp.go).
 */
export function tagOf(image: string): string | undefined {
  const { name = '', tag, digest: pinned } = reference.exec(image)?.groups ?? {};
  if (name === '' || name.length > longestName) return undefined;
  return tag ?? (pinned === undefined ? 'latest' : undefined);
}

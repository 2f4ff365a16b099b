/** Elements whose content a browser does not show as text. */
const hiddenElement = /<(head|script|style|title|template|noscript)\b[^>]*>[\s\S]*?(<\/\1\s*>|$)/gi;
const commentPattern = /<!--[\s\S]*?(-->|$)/g;
const tagPattern = /<[a-z!/?][^>]*(>|$)/gi;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** The text that a browser would show of a page (HTML or plain text), with each run of white space as one space. */
export function visibleText(page: string): string {
  const text = page.replace(commentPattern, ' ').replace(hiddenElement, ' ').replace(tagPattern, ' ');
  return text
    .replace(/&(#x?[0-9a-f]+|[a-z]+);/gi, decoded)
    .replace(/\s+/g, ' ')
    .trim();
}

function decoded(whole: string, name: string): string {
  if (!name.startsWith('#')) return entities[name.toLowerCase()] ?? whole;
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}

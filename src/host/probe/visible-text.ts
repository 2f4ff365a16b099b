/** Elements whose content a browser does not show as text. */
const HIDDEN = /<(head|script|style|title|template|noscript)\b[^>]*>[\s\S]*?(<\/\1\s*>|$)/gi;
const COMMENT = /<!--[\s\S]*?(-->|$)/g;
const TAG = /<[a-z!/?][^>]*(>|$)/gi;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** What a person would read of a page, HTML or plain text, with each run of white space as one space. */
export function visibleText(page: string): string {
  const text = page.replace(COMMENT, ' ').replace(HIDDEN, ' ').replace(TAG, ' ');
  return text
    .replace(/&(#x?[0-9a-f]+|[a-z]+);/gi, decoded)
    .replace(/\s+/g, ' ')
    .trim();
}

function decoded(whole: string, name: string): string {
  if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()] ?? whole;
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}

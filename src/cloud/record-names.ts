/**
 * The names whose record sets belong to a host name: its own, and those under which external-dns writes the TXT by
 * which it owns them; since 0.12 they have the type in front (docs/facts/dns.md, "The ownership registry").
 */
export const recordNames = (name: string): readonly string[] => [name, `a-${name}`, `aaaa-${name}`, `cname-${name}`];

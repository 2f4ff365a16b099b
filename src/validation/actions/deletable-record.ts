/** Pure. Why the record of that name is not deleted, whatever the zone holds; undefined when it may be: others depend on a wildcard or an apex (facts 4.10). */
export function unfitName(name: string, zone: string): string | undefined {
  if (name === zone || name.startsWith('*.')) return `${name} is an apex or a wildcard, which others depend on`;
  return name.endsWith(`.${zone}`) ? undefined : `${name} is not in zone ${zone}`;
}

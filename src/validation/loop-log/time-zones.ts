/**
 * Offsets in hours of the zone abbreviations of `date` that mean one offset: those of the time zone database (2025b)
 * that had only one since 2019, and of the ambiguous ones those that RFC 5322, section 4.3 defines (CST, CDT, PST). IST
 * stays ambiguous.
 */
const zoneHours: Readonly<Record<string, number>> = {
  Z: 0,
  UTC: 0,
  GMT: 0,
  WET: 0,
  WEST: 1,
  BST: 1,
  CET: 1,
  CEST: 2,
  MEZ: 1,
  MESZ: 2,
  EET: 2,
  EEST: 3,
  MSK: 3,
  IDT: 3,
  WAT: 1,
  CAT: 2,
  SAST: 2,
  EAT: 3,
  PKT: 5,
  WIB: 7,
  WITA: 8,
  WIT: 9,
  HKT: 8,
  JST: 9,
  KST: 9,
  AWST: 8,
  ACST: 9.5,
  ACDT: 10.5,
  AEST: 10,
  AEDT: 11,
  ChST: 10,
  NZST: 12,
  NZDT: 13,
  SST: -11,
  NST: -3.5,
  NDT: -2.5,
  AST: -4,
  ADT: -3,
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
  AKST: -9,
  AKDT: -8,
  HST: -10,
  HDT: -9,
};
/**
 * A known abbreviation, an offset, or a word that looks like an abbreviation: capitals that end in T, but no HTTP
 * method.
 */
export const zonePattern = `(?:${Object.keys(zoneHours).join('|')}|(?!GET|PUT|POST)[A-Z]{2,4}T|[+-]\\d\\d(?::?\\d\\d)?)`;
const minuteMs = 60_000;

/** What is added to UTC in that zone; undefined where the zone is unknown or means several offsets. */
export function offsetMs(zone: string): number | undefined {
  const [, sign, hours, minutes = 0] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  if (sign !== undefined) return (Number(hours) * 60 + Number(minutes)) * minuteMs * (sign === '-' ? -1 : 1);
  const known = zoneHours[zone];
  return known === undefined ? undefined : known * 60 * minuteMs;
}

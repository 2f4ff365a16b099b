/** An answer within this time counts as immediate (Nielsen, Usability Engineering, 1993: a tenth of a second). */
const immediateMs = 100;

/** A good answer that took long may have waited for the end of an outage, so it proves nothing before it came. */
export function waited(millis: number): number {
  return millis > immediateMs ? millis : 0;
}

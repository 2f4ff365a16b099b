/** Words that are the whole result of a check. */
const goodWords =
  /^(up|ok|okay|good|alive|healthy|success|successful|succeeded|pass|passed|online|reachable|available|yes|true|✓|✔|✅)$/i;
const badWords =
  /^(down|fail|failed|failing|failure|error|err|ko|nok|critical|crit|bad|dead|unhealthy|timeout|timedout|timed-out|offline|unreachable|unavailable|refused|no|false|✗|✘|❌)$/i;

/** Whether a word says that the target is up; undefined for one that says neither. */
export function stateOf(word: string): boolean | undefined {
  const bare = word.replace(/[.,:;!]+$/, '');
  if (goodWords.test(bare)) return true;
  return badWords.test(bare) ? false : undefined;
}

const failureText =
  /\b(curl: \(\d+\)|down|fail(ed|s|ure)?|error|timed? ?out|timeout|unreachable|refused|unavailable|offline|unhealthy|nok|critical|reset by peer|no (response|answer|route)|not (ok|up|responding|reachable|available)|could ?n(ot|'t) (connect|resolve)|(cannot|can't|unable to) (connect|resolve|reach)|bad gateway|empty reply|hang up|E(NOTFOUND|AI_AGAIN|CONN(REFUSED|RESET|ABORTED)|TIMEDOUT|HOSTUNREACH|NETUNREACH|PIPE))\b/i;
/** `0 errors`, `timeout=10s` and `error: none` say nothing. */
const noFailure =
  /\b(no|0|without) (errors?|failures?|timeouts?)\b|\b(time-?out|errors?|fail(ed|ures?)?|refused|down)["']?\s*[=:]\s*["']?(0|none|null|no|false|""|\d+(\.\d+)?m?s?)(?=$|[\s,;"'}\]])/gi;

/** What is said later of an outage, or counted, is no failure of a request. */
const inRetrospect =
  /\b(was|were|been) (down|offline|unavailable|unreachable)\b|\b(back|up|online|reachable) (again|after)\b|\bback (up|online)\b|\b(recovered|restored|summary)\b|\b\d+%? (requests failed|failures|errors|timeouts|outages)\b|\b\d+ (requests|checks|probes|ok|good|passed|succeeded)\b.*\bfailed\b/i;

/** Whether a line says in words that a request failed. */
export const saysFailure = (text: string): boolean =>
  failureText.test(text.replaceAll(noFailure, '')) && !inRetrospect.test(text);

/** What scripts write instead of a status where there was no answer. */
const noStatus = /^(n\/?a|null|none|nil|nan|undefined|unknown|exception|-+|-1)$/i;

/** Whether a word that stands where others have a status says that there was no answer. */
export const isNoStatus = (word: string): boolean => noStatus.test(word) || stateOf(word) === false;

/** A line that curl itself writes to standard error. */
export const isCurlError = (text: string): boolean => /\bcurl: \(\d+\)/.test(text);

/** curl's progress, where a loop was written without `-s`. */
export const isCurlMeter = (text: string): boolean =>
  /^\s*(% Total +% Received|Dload +Upload)|^\s*\d+ .*(--:--:--|\d+:\d\d:\d\d).*(--:--:--|\d+:\d\d:\d\d)/.test(text);

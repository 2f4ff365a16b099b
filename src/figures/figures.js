// The text of figures for people: on the terminal, in the reports and on the pages of the dashboard, which load this
// file as it is: docs/decisions/0052-one-outage-one-figure.md.

/**
 * A duration, and between which seconds it was.
 * @typedef {{ readonly seconds: number, readonly lowerSeconds: number, readonly upperSeconds: number }} Bounded
 */
/** @typedef {Pick<Bounded, 'lowerSeconds' | 'upperSeconds'>} Bounds */
/**
 * The part of the requests that failed, from 0 to 1, and its 95 % interval.
 * @typedef {{ readonly part: number, readonly lower: number, readonly upper: number }} Share
 */
/**
 * What people are shown of downtime: from its first bad sample to the first good one after its last, and the share of
 * the requests that failed meanwhile, where it is not all of them. Of several outages it is the sum of the spans.
 * @typedef {{ readonly span: Bounded, readonly share?: Share | undefined }} Shown
 */
/**
 * With its parts: the seconds in which requests failed, and of these the ones in which answers were only slow.
 * @typedef {Shown & { readonly seconds: number, readonly slowSeconds: number }} ShownDowntime
 */

/**
 * `3.2 s`; a value that is not zero is never shown as zero.
 * @param {number} seconds
 */
export const secondsText = (seconds) =>
  seconds > 0 && seconds < 0.05 ? '< 0.1 s' : `${(Math.round(seconds * 10) / 10).toFixed(1)} s`;

/**
 * `61 s`: of what is only known to the second.
 * @param {number} seconds
 */
export const wholeSecondsText = (seconds) => `${seconds.toFixed(0)} s`;

/**
 * `5 %`, `0.4 %`: a share from 0 to 1.
 * @param {number} share
 */
export const percentText = (share) => `${Math.round(1000 * share) / 10} %`;

/**
 * `7.2–49.6 s`, rounded outward: 60.04 is more than 60.
 * @param {Bounds} bounds
 */
export const boundsText = ({ lowerSeconds, upperSeconds }) =>
  `${inTenths(lowerSeconds, Math.floor)}–${inTenths(upperSeconds, Math.ceil)} s`;

/**
 * @param {number} seconds
 * @param {(value: number) => number} whole
 */
const inTenths = (seconds, whole) => (whole(inThousandths(seconds) / 100) / 10).toFixed(1);

/**
 * Rounded to milliseconds: no clock here is more precise, and sums of fractions stay exact.
 * @param {number} value
 */
const inThousandths = (value) => Math.round(value * 1000);

/**
 * The number, or its bounds where they are wider than a tenth of a second and than a tenth of the number.
 * @param {Bounded} duration
 */
export function boundedText({ seconds, ...bounds }) {
  const wide = inThousandths(bounds.upperSeconds - bounds.lowerSeconds);
  if (wide > 100 && wide > inThousandths(seconds / 10)) return boundsText(bounds);
  return secondsText(bounds.upperSeconds > 0 ? Math.max(seconds, 0.001) : seconds);
}

/**
 * `46 %`, or `21–94 %` where its interval is wider than a fifth: ten points more or less say the same of an outage. A
 * part is neither none nor all.
 * @param {Share} share
 */
export function shareText({ part, lower, upper }) {
  if (inThousandths(upper - lower) > 200)
    return `${Math.floor(inThousandths(lower) / 10)}–${Math.ceil(inThousandths(upper) / 10)} %`;
  return `${Math.min(99, Math.max(1, Math.round(100 * part)))} %`;
}

/**
 * `47.4 s, 46 % of requests`: downtime in a table, where the column says what it is.
 * @param {Shown & Partial<Pick<ShownDowntime, 'seconds' | 'slowSeconds'>>} downtime
 */
export const downtimeCell = (downtime) => `${boundedText(downtime.span)}${shareAndKind(downtime)}`;

/**
 * `47.4 s of downtime, 46 % of requests`, or `no downtime`.
 * @param {Shown & Partial<Pick<ShownDowntime, 'seconds' | 'slowSeconds'>>} downtime
 */
export const downtimeText = (downtime) =>
  downtime.span.upperSeconds === 0 && downtime.span.seconds === 0
    ? 'no downtime'
    : `${boundedText(downtime.span)} of downtime${shareAndKind(downtime)}`;

/**
 * A slow answer is not a failed one: downtime without a failure says so.
 * @param {Pick<Shown, 'share'> & Partial<Pick<ShownDowntime, 'seconds' | 'slowSeconds'>>} downtime
 */
function shareAndKind({ share, seconds = 0, slowSeconds = 0 }) {
  const part = share === undefined ? '' : `, ${shareText(share)} of requests`;
  return slowSeconds > 0 && slowSeconds >= seconds ? `${part}, slow answers` : part;
}

/**
 * A duration as people read it: `320 ms`, `4.2 s`, `2 min 5 s`, `1 h 2 min`, `3 d 4 h`.
 * @param {number} seconds
 */
export function readableDuration(seconds) {
  const milliseconds = Math.max(0, inThousandths(seconds));
  if (milliseconds < 1000) return `${milliseconds} ms`;
  if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return inTwoUnits(whole, 60, 'min', 's');
  const minutes = Math.round(seconds / 60);
  return minutes < 48 * 60 ? inTwoUnits(minutes, 60, 'h', 'min') : inTwoUnits(Math.round(minutes / 60), 24, 'd', 'h');
}

/**
 * A duration that somebody has chosen: `5 s` without decimals, otherwise as `readableDuration`.
 * @param {number} seconds
 */
export const chosenDuration = (seconds) =>
  Number.isInteger(seconds) && seconds < 60 ? `${seconds} s` : readableDuration(seconds);

/**
 * @param {number} amount
 * @param {number} size
 * @param {string} large
 * @param {string} small
 */
function inTwoUnits(amount, size, large, small) {
  const rest = amount % size;
  return `${Math.floor(amount / size)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`;
}

/** The sum, rounded to milliseconds: without the errors of binary fractions. */
export function sumSeconds(seconds: readonly number[]): number {
  return seconds.reduce((total, value) => total + Math.round(value * 1000), 0) / 1000;
}

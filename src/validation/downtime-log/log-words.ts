/** `key=value` words, as our log has them; a word without `=` has no value. */
export function words(text: string): readonly (readonly [key: string, value: string])[] {
  return text
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => {
      const equals = word.indexOf('=');
      return equals < 0 ? [word, ''] : [word.slice(0, equals), word.slice(equals + 1)];
    });
}

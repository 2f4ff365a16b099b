import stringWidth from 'fast-string-width';

/**
 * The width of a text in terminal columns (UAX #11): 0 for a combining mark or an escape sequence, 2 for a wide
 * character.
 */
export const textWidth = (text: string): number => stringWidth(text);

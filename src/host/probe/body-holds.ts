/** Whether the body holds what it has to: text, or what matches `/regular expression/`. */
export function bodyHolds(wanted: string, body: string): boolean {
  const pattern = patternIn(wanted);
  return pattern === undefined ? body.includes(wanted) : new RegExp(pattern).test(body);
}

/** Whether `bodyHolds` takes it. */
export function isTextOrPattern(text: string): boolean {
  const pattern = patternIn(text);
  try {
    return pattern === undefined || new RegExp(pattern) !== null;
  } catch {
    return false;
  }
}

function patternIn(text: string): string | undefined {
  return text.length > 2 && text.startsWith('/') && text.endsWith('/') ? text.slice(1, -1) : undefined;
}

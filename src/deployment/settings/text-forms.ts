export function isPattern(text: string): boolean {
  try {
    return new RegExp(text) !== null;
  } catch {
    return false;
  }
}

export function isUrl(text: string, protocols: readonly string[]): boolean {
  return protocols.includes(URL.parse(text)?.protocol ?? '');
}

/** Requests to this machine need no encryption. */
export function isLoopback(text: string): boolean {
  return isUrl(text, ['http:']) && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(text).hostname);
}

/** A word that a shell would find a program by. */
export function isProgram(text: string): boolean {
  return /^[^-\s]\S*$/.test(text) && !hasControlCharacter(text);
}

/** An address that began with a dash would be an option of the mail command. */
export function isAddress(text: string): boolean {
  return /^[^\s<>(),;:@-][^\s<>(),;:@]*@[^\s<>(),;:@-][^\s<>(),;:@]*$/.test(text);
}

export function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

/** The keys of all texts with the character that ends a string for the operating system (execve(2), open(2)). */
export function textsWithNul(value: unknown, key: string): readonly string[] {
  if (typeof value === 'string') return value.includes('\0') ? [key] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => textsWithNul(inner, `${key}.${name}`));
}

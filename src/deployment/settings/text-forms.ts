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

/** An address that began with a dash would be an option of the mail command. */
export function isAddress(text: string): boolean {
  return /^[^\s<>(),;:@-][^\s<>(),;:@]*@[^\s<>(),;:@-][^\s<>(),;:@]*$/.test(text);
}

export function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

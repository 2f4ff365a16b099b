/** The name and password of an address as a header has them (RFC 7617); undefined where it has none. */
export function basicCredentials({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  return `Basic ${Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')}`;
}

/** A percent sign without two hex digits after it stands for itself, as with curl. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

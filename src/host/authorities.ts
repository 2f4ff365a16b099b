let trusting: Promise<void> | undefined;

/**
 * From now on every TLS connection without authorities of its own trusts the system's as well as Node's, as curl does:
 * a company's own authority is only in the system's. Reading them takes 0.1 to 0.3 s, once a process, so it is awaited
 * only before TLS is used.
 */
export function trustSystemAuthorities(): Promise<void> {
  trusting ??= trust();
  return trusting;
}

async function trust(): Promise<void> {
  const { getCACertificates, setDefaultCACertificates } = await import('node:tls');
  // Without duplicates: the system has many of them twice, Node knows most, and each is parsed here.
  setDefaultCACertificates([...new Set([...getCACertificates('default'), ...getCACertificates('system')])]);
}

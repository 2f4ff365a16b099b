let trusting: Promise<void> | undefined;

/**
 * From here on every TLS connection that names no authority of its own trusts the system's beside Node's, as curl does: a company's own
 * stands there alone. Reading them takes 0.1 to 0.3 s, once a process, so it is awaited where TLS is about to be used.
 */
export function trustSystemAuthorities(): Promise<void> {
  trusting ??= trust();
  return trusting;
}

async function trust(): Promise<void> {
  const { getCACertificates, setDefaultCACertificates } = await import('node:tls');
  // The system keeps many of them twice, and Node knows most of them; each is parsed again here.
  setDefaultCACertificates([...new Set([...getCACertificates('default'), ...getCACertificates('system')])]);
}

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A certificate authority in a folder, and the certificates that it signs. Paths of PEM files. */
export interface Authority {
  readonly ca: string;
  /** `names` are subjectAltNames such as `IP:127.0.0.1`; the common name is a client's user. */
  sign(commonName: string, names?: string, options?: { readonly isExpired?: boolean }): SignedCertificate;
}
export interface SignedCertificate {
  readonly cert: string;
  readonly key: string;
}

const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];

/** Needs openssl. */
export function certificateAuthority(folder: string): Authority {
  const openssl = (...words: readonly string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' });
  openssl(...request, '-subj', '/CN=test-ca', '-keyout', 'ca.key', '-out', 'ca.crt');
  return {
    ca: join(folder, 'ca.crt'),
    sign(commonName, names, { isExpired = false } = {}) {
      const [key, cert] = [`${commonName}.key`, `${commonName}.crt`];
      const more = names === undefined ? [] : ['-addext', `subjectAltName=${names}`];
      openssl(
        ...[...request, '-CA', 'ca.crt', '-CAkey', 'ca.key', '-subj', `/CN=${commonName}`],
        ...[...more, '-addext', 'basicConstraints=CA:FALSE', '-keyout', key, '-out', cert],
      );
      if (isExpired) {
        const kept = ['-copy_extensions', 'copy'];
        openssl('x509', '-x509toreq', '-in', cert, '-signkey', key, ...kept, '-out', 'request.csr');
        openssl(
          ...['x509', '-req', '-in', 'request.csr', '-days', '-1', '-CA', 'ca.crt'],
          ...[...kept, '-CAkey', 'ca.key', '-out', cert],
        );
      }
      return { key: join(folder, key), cert: join(folder, cert) };
    },
  };
}

export const base64Of = (path: string): string => readFileSync(path).toString('base64');

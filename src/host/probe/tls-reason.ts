import { codeOf } from '../system-error.ts';

/**
 * Why a handshake failed: the certificate is expired, not valid yet, for another name, or of an authority that is not
 * trusted; the server speaks no version that was offered; or anything else.
 */
export type TlsReason = 'alpn' | 'expired' | 'not-yet-valid' | 'name' | 'authority' | 'handshake';

/** The codes of OpenSSL's verification (X509_verify_cert_error_string) as Node has them. */
const reasons: Readonly<Record<string, TlsReason>> = {
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'not-yet-valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'name',
  UNABLE_TO_GET_ISSUER_CERT: 'authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'authority',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'authority',
  CERT_UNTRUSTED: 'authority',
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: 'alpn',
};

export const tlsReasonOf = (error: unknown): TlsReason => reasons[codeOf(error) ?? ''] ?? 'handshake';

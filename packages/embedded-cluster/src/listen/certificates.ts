import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { bits, boolean, der, integer, objectIdentifier, octets, sequence, setOf, text, time } from './der.ts';

/** The certificate and key of a server, and the certificate of its authority, in PEM. */
export interface ServerCertificate {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** The certificate of the API server, for loopback and its names inside the cluster. */
export const serverCertificate = (at: number): ServerCertificate =>
  certificate(at, { authority: 'holdfast rehearsal CA', server: 'kube-apiserver', names });

/** The certificate that ingress-nginx serves for a host without one (its documentation, "Default SSL Certificate"). */
export const fakeCertificate = (at: number): ServerCertificate => {
  const server = 'Kubernetes Ingress Controller Fake Certificate';
  return certificate(at, { authority: server, server, names: [dnsName('ingress.local')] });
};

/**
 * A certificate from an authority that is made for it and whose key is discarded: X.509 version 3 (RFC 5280), ECDSA on
 * P-256, valid from an hour before `at` (epoch milliseconds) until thirty days after.
 */
function certificate(
  at: number,
  subjects: { readonly authority: string; readonly server: string; readonly names: readonly Buffer[] },
): ServerCertificate {
  const authority = party(subjects.authority);
  const server = party(subjects.server);
  const caExtensions = [extension(oid.basicConstraints, sequence(boolean(true)), true), keyUsage.signsCertificates];
  const serverExtensions = [
    extension(oid.basicConstraints, sequence(), true),
    keyUsage.signsData,
    extension(oid.extendedKeyUsage, sequence(objectIdentifier(oid.serverAuthentication))),
    extension(oid.subjectAlternativeName, sequence(...subjects.names)),
  ];
  return {
    ca: issued(authority, authority, at, caExtensions),
    cert: issued(server, authority, at, serverExtensions),
    key: server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

interface Party {
  readonly name: Buffer;
  readonly privateKey: KeyObject;
  /** SubjectPublicKeyInfo, in DER. */
  readonly publicKey: Buffer;
  readonly keyId: Buffer;
}

function party(commonName: string): Party {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  return {
    name: sequence(setOf(sequence(objectIdentifier(oid.commonName), text(commonName)))),
    privateKey,
    publicKey: spki,
    // RFC 7093, method 4: any method that gives unique identifiers.
    keyId: createHash('sha256').update(spki).digest().subarray(0, 20),
  };
}

const hourMs = 3_600_000;
const validMs = 30 * 24 * hourMs;

/** The certificate in PEM: a TBSCertificate and the issuer's signature of it (RFC 5280, 4.1). */
function issued(subject: Party, issuer: Party, at: number, extensions: readonly Buffer[]): string {
  const signed = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(serial()),
    ecdsaWithSha256,
    issuer.name,
    sequence(time(at - hourMs), time(at + validMs)),
    subject.name,
    subject.publicKey,
    der(
      0xa3,
      sequence(
        ...extensions,
        extension(oid.subjectKeyId, octets(subject.keyId)),
        extension(oid.authorityKeyId, sequence(der(0x80, issuer.keyId))),
      ),
    ),
  );
  const certificate = sequence(signed, ecdsaWithSha256, bits(sign('sha256', signed, issuer.privateKey)));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

/** A serial number: positive, in the shortest form (RFC 5280, 4.1.2.2). */
const serial = (): Buffer => Buffer.concat([Buffer.from([0x40]), randomBytes(15)]);

const oid = {
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  commonName: '2.5.4.3',
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAlternativeName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyId: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuthentication: '1.3.6.1.5.5.7.3.1',
} as const;

const ecdsaWithSha256 = sequence(objectIdentifier(oid.ecdsaWithSha256));

function extension(id: string, value: Buffer, isCritical = false): Buffer {
  return sequence(objectIdentifier(id), ...(isCritical ? [boolean(true)] : []), octets(value));
}

/** RFC 5280, 4.2.1.3: the bits digitalSignature (0), keyCertSign and cRLSign (5 and 6). */
const keyUsage = {
  signsData: extension(oid.keyUsage, bits(Buffer.from([0x80]), 7), true),
  signsCertificates: extension(oid.keyUsage, bits(Buffer.from([0x06]), 1), true),
} as const;

/** RFC 5280, 4.2.1.6: dNSName is choice 2, iPAddress choice 7. */
const dnsName = (name: string): Buffer => der(0x82, Buffer.from(name));
const names = [
  der(0x87, Buffer.from([127, 0, 0, 1])),
  ...['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'].map(dnsName),
];

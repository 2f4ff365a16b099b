import { trustSystemAuthorities } from '../../host/authorities.ts';
import type { AwsAccess, Sign } from './request.ts';

/**
 * Signs with the credentials that the AWS SDK finds, in its order: environment, shared files, SSO, web identity,
 * container, instance. The SDK is loaded when the first request is signed.
 */
export function signedBySdk(): Required<Pick<AwsAccess, 'sign'>> {
  let signing: Promise<Signer> | undefined;
  return {
    sign: async (request, scope) => {
      signing ??= loadSigner();
      return (await signing)(request, scope);
    },
  };
}

type Signer = Sign;

async function loadSigner(): Promise<Signer> {
  const [{ SignatureV4, Sha256, defaultProvider }] = await Promise.all([
    import('./sdk.ts'),
    // Some providers fetch credentials over TLS, by connections of their own.
    trustSystemAuthorities(),
  ]);
  const credentials = defaultProvider();
  return async ({ method, url, headers = {}, body }, { service, region, at }) => {
    const { protocol, hostname, host, pathname, searchParams } = new URL(url);
    const signer = new SignatureV4({ service, region, credentials, sha256: Sha256 });
    const signed = await signer.sign(
      {
        method,
        protocol,
        hostname,
        path: pathname,
        query: Object.fromEntries(searchParams),
        headers: { ...headers, host },
        ...(body === undefined ? {} : { body }),
      },
      { signingDate: new Date(at) },
    );
    return signed.headers;
  };
}

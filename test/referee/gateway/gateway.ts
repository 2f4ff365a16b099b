import { existsSync, globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Kit } from '../kit.ts';
import { verb } from '../kit.ts';
import { type WholeRun, wholeRun } from '../whole-run.ts';

/**
 * Where `go mod download sigs.k8s.io/gateway-api@v1.6.1` put the definitions of the Gateway API, of the version that
 * Traefik is built with.
 */
export const definitionsFolder = (environment: Readonly<Record<string, string | undefined>>): string | undefined => {
  const folder = join(environment.HOLDFAST_GATEWAY_API ?? '', 'config/crd/standard');
  return environment.HOLDFAST_GATEWAY_API !== undefined && existsSync(folder) ? folder : undefined;
};

const file = (name: string): string => join(import.meta.dirname, name);
const settings = `validation:
  ingressController: { namespace: traefik, service: traefik, selector: app.kubernetes.io/name=traefik }
`;

/**
 * Validates an application behind an HTTPRoute and Traefik by `validate -f`, with a prober beside it. Traefik and the
 * definitions of the Gateway API are there before the cluster is read for the first time, and are taken away at the
 * end.
 */
export async function gatewayRun(kit: Kit, folder: string, words: readonly string[]): Promise<WholeRun> {
  const kubectl = (...of: readonly string[]) => verb(kit, ['kubectl', ...of]);
  const definitions = globSync(
    join(definitionsFolder(kit.environment) ?? '', 'gateway.networking.k8s.io_*.yaml'),
  ).filter((path) => !path.includes('_vap_'));
  const files = definitions.flatMap((path) => ['-f', path]);
  try {
    await kubectl('apply', '--server-side', ...files);
    await kubectl('wait', '--for=condition=Established', '--timeout=60s', ...files);
    await kubectl('apply', '-f', file('traefik.yaml'));
    await kubectl('-n', 'traefik', 'rollout', 'status', 'deployment', 'traefik', '--timeout=150s');
    await kubectl('-n', 'traefik', 'wait', '--for=condition=Programmed', 'gateway/edge', '--timeout=60s');
    writeFileSync(join(folder, 'holdfast.yaml'), settings);
    return await wholeRun(kit, folder, {
      words: ['-f', file('shop.yaml'), ...words],
      rolesOf: ['-f', file('shop.yaml')],
      url: 'http://shop.example.com/',
    });
  } finally {
    await kubectl('delete', '--ignore-not-found', '-f', file('traefik.yaml'));
    await kubectl('delete', '--ignore-not-found', ...files);
  }
}

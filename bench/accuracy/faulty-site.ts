import { execFileSync } from 'node:child_process';
import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveDns } from '../../packages/embedded-cluster/src/listen/dns-endpoint.ts';

export const faults = [
  'refusing',
  'hanging',
  'resetting',
  '503',
  'slow answers',
  'lost packets',
  'DNS failure',
] as const;
export type Fault = (typeof faults)[number];

/** An outage as it was caused: it began and ended between the two instants of each pair (epoch milliseconds). */
export interface Caused {
  readonly fault: Fault;
  readonly began: readonly [number, number];
  readonly ended: readonly [number, number];
}

export const siteUrl = 'http://app.test/';
const [address, port] = ['127.0.0.1', 80];
/** Longer than `--slow`, shorter than any timeout. */
const slowAnswerSeconds = 2;

/** One web server with its name, on port 80 and 53 of this network, which fails in one way at a time. */
export interface FaultySite {
  readonly fail: (fault: Fault, seconds: number) => Promise<Caused>;
  readonly close: () => void;
}

export async function faultySite(): Promise<FaultySite> {
  let fault: Fault | undefined;
  const server = createServer((_, response) => answer(response, fault));
  server.on('connection', (socket) => {
    socket.on('error', () => {});
    if (fault === 'resetting') socket.resetAndDestroy();
  });
  const listen = () => new Promise<void>((resolve) => server.listen({ port, host: address, backlog: 4096 }, resolve));
  await listen();
  const names = await serveDns(
    async (_, type) => {
      if (fault === 'DNS failure') return { code: 'NXDOMAIN', records: [] };
      return type === 'A'
        ? { code: 'NOERROR', records: [{ type, value: address, ttlSeconds: 1 }] }
        : { code: 'NODATA', records: [] };
    },
    { port: 53 },
  );
  execFileSync('nft', ['add', 'table', 'inet', 'site']);
  execFileSync('nft', ['add', 'chain', 'inet', 'site', 'lost', '{ type filter hook input priority 0; }']);
  const change = async (next: Fault | undefined) => {
    const at = Date.now();
    const before = fault;
    fault = next;
    if (next === 'refusing') server.close();
    if (before === 'refusing') await listen();
    if (next === 'lost packets')
      execFileSync('nft', ['add', 'rule', 'inet', 'site', 'lost', 'tcp', 'dport', `${port}`, 'drop']);
    if (before === 'lost packets') execFileSync('nft', ['flush', 'chain', 'inet', 'site', 'lost']);
    return [at, Date.now()] as const;
  };
  return {
    fail: async (kind, seconds) => {
      const began = await change(kind);
      await sleep(seconds * 1000);
      return { fault: kind, began, ended: await change(undefined) };
    },
    close: () => {
      server.close();
      server.closeAllConnections();
      names.close();
    },
  };
}

function answer(response: ServerResponse, fault: Fault | undefined): void {
  const welcome = () => response.end('<h1>Welcome to nginx!</h1>\n');
  if (fault === 'hanging') return;
  if (fault === '503') response.writeHead(503).end();
  else if (fault === 'slow answers') setTimeout(welcome, slowAnswerSeconds * 1000);
  else welcome();
}

/** The length that nobody disputes, in seconds: the change itself takes a few milliseconds. */
export const trueSeconds = ({ began, ended }: Caused): number =>
  Math.round((ended[0] + ended[1] - began[0] - began[1]) / 2) / 1000;

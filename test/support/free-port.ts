import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/**
 * Linux' own choice of ports begins here where nothing else is set (ip(7), `ip_local_port_range`); that of other
 * systems later.
 */
const FIRST_OF_ITS_OWN = 32_768;
/** Below are the ports that need root, and most of those that programs are known by. */
const FIRST = 20_000;
const MOST_TRIES = 100;

/**
 * A port of loopback for a program that needs a fixed one. It is outside the range from which the system assigns ports,
 * so no other test takes it before the program listens on it or while the program is restarted.
 */
export async function freePort(): Promise<number> {
  const ports = firstOfItsOwn() - FIRST;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const port = FIRST + Math.floor(Math.random() * ports);
    if (await isFree(port)) return port;
  }
  throw new Error(`${MOST_TRIES} ports from ${FIRST} on are taken`);
}

function firstOfItsOwn(): number {
  try {
    const [first = ''] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s/);
    return Math.max(Number(first), FIRST + MOST_TRIES);
  } catch {
    return FIRST_OF_ITS_OWN;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  const isListening = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (isListening) await new Promise((resolve) => server.close(resolve));
  return isListening;
}

import { Agent, get } from 'node:http';
import type { TestContext } from 'node:test';

export interface Visitors {
  /** Ends the requests and says what came back, in the order of the requests. */
  stop(): Promise<readonly Visit[]>;
}
export interface Visit {
  /** Seconds after the visitors came. */
  readonly at: number;
  /** Until the last byte. */
  readonly seconds: number;
  readonly status: number;
  readonly body: string;
}

/**
 * Visitors at 200 requests a second, or at what this machine can serve just now: on a machine that is busy with other
 * things the site alone would be overloaded, which is not what the tests are about.
 */
export async function visitAsFastAsServed(t: TestContext, url: string): Promise<Visitors> {
  for (let rate = 200; rate > 20; rate /= 2) {
    const trial = visit(t, url, rate);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const startedAt = performance.now();
    const all = await trial.stop();
    const served = all.every(({ status }) => status === 200) && performance.now() - startedAt < 200;
    if (served) return visit(t, url, rate);
    t.diagnostic(`this machine cannot serve ${rate} requests a second just now`);
  }
  return visit(t, url, 20);
}

/** More would ask only how long their own queue is, on a machine that others use as well. */
const mostWaiting = 100;

/** Requests at this rate, each on time whatever the others do; none while so many wait for their answers. */
export function visit(t: TestContext, url: string, perSecond: number): Visitors {
  const agent = new Agent({ keepAlive: true });
  const startedAt = performance.now();
  const visits: Promise<Visit>[] = [];
  let [begun, ended] = [0, 0];
  const timer = setInterval(() => {
    const seconds = (performance.now() - startedAt) / 1000;
    for (const due = Math.floor(seconds * perSecond); begun < due; begun += 1) {
      if (visits.length - ended >= mostWaiting) continue;
      const visit = once(url, agent, seconds);
      visits.push(visit);
      void visit.then(() => {
        ended += 1;
      });
    }
  }, 1000 / perSecond);
  t.after(() => clearInterval(timer));
  return {
    async stop() {
      clearInterval(timer);
      const all = await Promise.all(visits);
      agent.destroy();
      return all;
    },
  };
}

function once(url: string, agent: Agent, at: number): Promise<Visit> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const end = (status: number, body: string) =>
      resolve({ at, seconds: (performance.now() - startedAt) / 1000, status, body });
    const request = get(url, { agent }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.on('end', () => end(response.statusCode ?? 0, body));
      response.on('error', () => end(0, body));
    });
    request.on('error', () => end(0, ''));
  });
}

/** Class, view and configuration of one page from different versions. */
export function isTorn({ status, body }: Visit): boolean {
  const versions = [...body.matchAll(/(?:class|view|config)=(\w+)/g)].map(([, version]) => version);
  return status === 200 && new Set(versions).size > 1;
}

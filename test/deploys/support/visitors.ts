import { Agent, get } from 'node:http';

export interface Visitors {
  /** Ends the requests and says what came back, in the order of the requests. */
  stop(): Promise<readonly Visit[]>;
}
export interface Visit {
  /** Seconds after the visitors came. */
  readonly at: number;
  readonly status: number;
  readonly body: string;
}

/** Requests at this rate, each on time whatever the others do. */
export function visit(url: string, perSecond: number): Visitors {
  const agent = new Agent({ keepAlive: true });
  const startedAt = performance.now();
  const visits: Promise<Visit>[] = [];
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * perSecond);
    while (visits.length < due) visits.push(once(url, agent, (performance.now() - startedAt) / 1000));
  }, 1000 / perSecond);
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
  return new Promise((resolve) => {
    const request = get(url, { agent }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.on('end', () => resolve({ at, status: response.statusCode ?? 0, body }));
    });
    request.on('error', () => resolve({ at, status: 0, body: '' }));
  });
}

/** Class, view and configuration of one page from different versions. */
export function isTorn({ status, body }: Visit): boolean {
  const versions = [...body.matchAll(/(?:class|view|config)=(\w+)/g)].map(([, version]) => version);
  return status === 200 && new Set(versions).size > 1;
}

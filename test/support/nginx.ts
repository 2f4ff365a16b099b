import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { freePort } from './free-port.ts';
import { whereIs } from './needs.ts';

/**
 * A real nginx of one process on a port of loopback, to be disturbed. Each function returns when its effect is there.
 */
export interface Nginx {
  readonly port: number;
  readonly start: () => Promise<void>;
  /** Connections are refused. */
  readonly stop: () => Promise<void>;
  /** Every request is answered with 503, or no longer. */
  readonly answer503: (on: boolean) => void;
  /** Connections are accepted, and nothing is answered. */
  readonly freeze: () => void;
  readonly thaw: () => void;
}

const welcomePage =
  '<html><head><title>Welcome to nginx!</title></head><body><h1>Welcome to nginx!</h1></body></html>\n';

/** `servers` are its server blocks instead of one that has the welcome page. */
export async function nginx(folder: string, servers = welcomeServer): Promise<Nginx> {
  const port = await freePort();
  mkdirSync(`${folder}/html`, { recursive: true });
  writeFileSync(`${folder}/html/index.html`, welcomePage);
  writeFileSync(`${folder}/nginx.conf`, configuration(folder, servers(folder, port)));
  let child: ChildProcess | undefined;
  return {
    port,
    start: async () => {
      child = spawn(whereIs('nginx') ?? 'nginx', ['-p', folder, '-c', `${folder}/nginx.conf`], { stdio: 'inherit' });
      while (!(await accepts(port))) {
        if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}: see ${folder}/error.log`);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    stop: async () => {
      const gone = new Promise((resolve) => child?.once('exit', resolve));
      if (!child?.kill('SIGKILL')) return;
      await gone;
    },
    answer503: (on) => (on ? writeFileSync(`${folder}/503`, '') : rmSync(`${folder}/503`)),
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
  };
}

const welcomeServer = (folder: string, port: number): string => `
      server {
        listen 127.0.0.1:${port} backlog=4096;
        root ${folder}/html;
        location / { if (-f ${folder}/503) { return 503; } }
      }`;

function configuration(folder: string, servers: string): string {
  return `
    daemon off;
    master_process off;
    error_log ${folder}/error.log;
    pid ${folder}/nginx.pid;
    events { worker_connections 8192; }
    http {
      access_log off;
      client_body_temp_path ${folder}/body;
      proxy_temp_path ${folder}/proxy;
      fastcgi_temp_path ${folder}/fastcgi;
      uwsgi_temp_path ${folder}/uwsgi;
      scgi_temp_path ${folder}/scgi;
      ${servers}
    }`;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

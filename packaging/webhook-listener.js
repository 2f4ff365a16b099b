#!/usr/bin/env node
// Runs the command that follows when a signed request says that something was pushed. Requests that come while it runs
// make it run once more afterwards, however many they were: then it sees the newest commit.
import { spawn } from 'node:child_process';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { argv, env, exit, stderr } from 'node:process';

/** A push of a thousand commits is smaller; GitHub sends at most 25 MB, of which nothing but the branch is wanted. */
const maximumBytes = 5 * 1024 * 1024;
const { HOLDFAST_WEBHOOK_SECRET: secret = '', HOLDFAST_WEBHOOK_PORT: port = '9480', BRANCH: branch } = env;
const [program, ...words] = argv.slice(2);
if (secret.length < 16 || program === undefined) {
  stderr.write('webhook-listener: give HOLDFAST_WEBHOOK_SECRET (16 characters or more) and a command to run.\n');
  exit(2);
}

let running = false;
let again = false;

function trigger() {
  again = running;
  if (running) return;
  running = true;
  const environment = { ...env };
  delete environment.HOLDFAST_WEBHOOK_SECRET;
  const child = spawn(program, words, { env: environment, stdio: ['ignore', 'inherit', 'inherit'] });
  child.on('error', (error) => stderr.write(`webhook-listener: ${program}: ${error.message}\n`));
  child.on('close', () => {
    running = false;
    if (again) trigger();
  });
}

/** GitHub, Gitea and Forgejo sign the body in the same way (HMAC-SHA256, hexadecimal). */
function isSigned(headers, body) {
  const given = String(headers['x-hub-signature-256'] ?? headers['x-gitea-signature'] ?? '').replace(/^sha256=/, '');
  const expected = createHmac('sha256', secret).update(body).digest();
  const bytes = Buffer.from(given, 'hex');
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

function isOurBranch(body) {
  try {
    return branch === undefined || JSON.parse(body.toString('utf8')).ref === `refs/heads/${branch}`;
  } catch {
    return false;
  }
}

function answerTo(request, body) {
  if (request.method !== 'POST') return 405;
  if (!isSigned(request.headers, body)) return 403;
  if (!isOurBranch(body)) return 200;
  trigger();
  return 202;
}

const server = createServer((request, response) => {
  const chunks = [];
  let size = 0;
  request.on('data', (chunk) => {
    size += chunk.length;
    if (size > maximumBytes) request.destroy();
    else chunks.push(chunk);
  });
  request.on('end', () => response.writeHead(answerTo(request, Buffer.concat(chunks))).end());
  request.on('error', () => {});
});
server.requestTimeout = 10_000;
server.listen(Number(port), '127.0.0.1', () => {
  stderr.write(`webhook-listener: listening on 127.0.0.1:${server.address().port}\n`);
});

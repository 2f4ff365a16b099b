#!/usr/bin/env node
// Runs the command that follows after a signed request for a push. Any number of requests while it runs make it run
// once more afterwards: it then finds the newest commit.
import { spawn } from 'node:child_process';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import process, { argv, env, exit, stderr } from 'node:process';

/** Within this time a request has to be complete, also one that comes byte by byte; Node looks this often. */
const limits = { requestTimeout: 10_000, headersTimeout: 10_000, connectionsCheckingInterval: 500 };
/** More than a push of a thousand commits. GitHub sends at most 25 MB, of which only the branch is used. */
const maximumBytes = 5 * 1024 * 1024;
const { HOLDFAST_WEBHOOK_PORT: port = '9480', BRANCH: branch } = env;
const secret = secretOf(env);
const [program, ...words] = argv.slice(2);
if (secret.length < 16 || program === undefined) {
  say('give HOLDFAST_WEBHOOK_SECRET or the credential webhook-secret (16 characters or more) and a command to run.');
  exit(2);
}

function say(text) {
  stderr.write(`webhook-listener: ${text}\n`);
}

/** systemd passes credentials as files that no other user can read (LoadCredential=). */
function secretOf({ HOLDFAST_WEBHOOK_SECRET, CREDENTIALS_DIRECTORY }) {
  if (HOLDFAST_WEBHOOK_SECRET !== undefined) return HOLDFAST_WEBHOOK_SECRET;
  try {
    return readFileSync(`${CREDENTIALS_DIRECTORY}/webhook-secret`, 'utf8').trim();
  } catch {
    return '';
  }
}

let running;
let again = false;
let stopping = false;

function trigger() {
  again = running !== undefined;
  if (again) return;
  const { HOLDFAST_WEBHOOK_SECRET: _, CREDENTIALS_DIRECTORY: __, ...environment } = env;
  running = spawn(program, words, { env: environment, stdio: ['ignore', 'inherit', 'inherit'] });
  running.on('error', (error) => say(`${program}: ${error.message}`));
  running.on('close', () => {
    running = undefined;
    if (stopping) exit(0);
    if (again) trigger();
  });
}

/** Compares texts of any length in a time that does not depend on them. */
function isSame(given, expected) {
  const [one, other] = [given, expected].map((text) => createHmac('sha256', secret).update(text).digest());
  return timingSafeEqual(one, other);
}

/**
 * GitHub, Gitea and Forgejo sign the body in the same way (HMAC-SHA256, hexadecimal); GitLab sends the secret itself.
 */
function isGenuine(headers, body) {
  const token = headers['x-gitlab-token'];
  if (token !== undefined) return isSame(String(token), secret);
  const given = String(headers['x-hub-signature-256'] ?? headers['x-gitea-signature'] ?? '');
  return isSame(given.replace(/^sha256=/, '').toLowerCase(), createHmac('sha256', secret).update(body).digest('hex'));
}

/** GitHub sends JSON, or a form that holds it, as its settings say. */
function isOurBranch(headers, body) {
  if (branch === undefined) return true;
  const text = body.toString('utf8');
  const isForm = String(headers['content-type']).startsWith('application/x-www-form-urlencoded');
  try {
    return JSON.parse(isForm ? (new URLSearchParams(text).get('payload') ?? '') : text).ref === `refs/heads/${branch}`;
  } catch {
    return false;
  }
}

function answerTo({ method, headers }, body) {
  if (method !== 'POST') return 405;
  if (!isGenuine(headers, body)) {
    say('refused a request whose signature is missing or wrong');
    return 403;
  }
  if (!isOurBranch(headers, body)) return 200;
  trigger();
  return 202;
}

const server = createServer(limits, (request, response) => {
  const chunks = [];
  let size = 0;
  request.on('data', (chunk) => {
    size += chunk.length;
    if (size <= maximumBytes) chunks.push(chunk);
    else if (!response.headersSent) response.writeHead(413, { connection: 'close' }).end(() => request.destroy());
  });
  request.on('end', () => {
    if (!response.headersSent) response.writeHead(answerTo(request, Buffer.concat(chunks))).end();
  });
  request.on('error', () => {});
});
server.on('error', (error) => {
  say(error.message);
  exit(1);
});
server.listen(Number(port), '127.0.0.1', () => say(`listening on 127.0.0.1:${server.address().port}`));

/** Signals a running deploy to stop, which rolls back what it has changed, and ends after it. */
for (const signal of ['SIGTERM', 'SIGINT'])
  process.on(signal, () => {
    stopping = true;
    server.close();
    server.closeAllConnections();
    if (running === undefined) exit(0);
    running.kill('SIGTERM');
  });

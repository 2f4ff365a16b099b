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
/** Of all requests together before their signatures are known; more is 503, and the sender may come again. */
const maximumHeldBytes = 8 * maximumBytes;
/** Node drops the connections beyond: a push needs one for a moment. */
const maximumConnections = 64;
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

/** What can be said before the body has come. */
function answerToHead({ method, headers }) {
  if (method !== 'POST') return 405;
  if (Number(headers['content-length'] ?? 0) > maximumBytes) return 413;
  const token = headers['x-gitlab-token'];
  const isSigned = headers['x-hub-signature-256'] !== undefined || headers['x-gitea-signature'] !== undefined;
  if (token === undefined ? isSigned : isSame(String(token), secret)) return undefined;
  return refused();
}

function refused() {
  say('refused a request whose signature is missing or wrong');
  return 403;
}

function answerTo({ headers }, body) {
  if (!isGenuine(headers, body)) return refused();
  if (!isOurBranch(headers, body)) return 200;
  trigger();
  return 202;
}

let heldBytes = 0;

const server = createServer(limits, (request, response) => {
  const chunks = [];
  let size = 0;
  const release = () => {
    heldBytes -= size;
    size = 0;
    chunks.length = 0;
  };
  const refuse = (status) => {
    release();
    if (!response.headersSent) response.writeHead(status, { connection: 'close' }).end(() => request.destroy());
  };
  request.on('close', release);
  request.on('error', () => {});
  const status = answerToHead(request);
  if (status !== undefined) return refuse(status);
  request.on('data', (chunk) => {
    if (response.headersSent) return;
    size += chunk.length;
    heldBytes += chunk.length;
    chunks.push(chunk);
    if (size > maximumBytes) refuse(413);
    else if (heldBytes > maximumHeldBytes) refuse(503);
  });
  request.on('end', () => {
    if (!response.headersSent) response.writeHead(answerTo(request, Buffer.concat(chunks))).end();
  });
});
server.maxConnections = maximumConnections;
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

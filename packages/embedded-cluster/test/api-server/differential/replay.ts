import { type Answering, authenticated } from '../../../src/listen/api-endpoint.ts';
import type { HttpResponse } from '../../../src/outside/http.ts';
import { healthy, type Setup } from '../../../src/setup/setup.ts';
import { inWorld } from '../../support/in-world.ts';
import { settledWorld } from '../../support/settled-world.ts';
import { inApi } from '../in-api.ts';
import { comparable, type Difference, differences } from './comparable.ts';
import type { Answer, Exchange, Recording } from './exchanges.ts';

/** The days of the recordings: an Event of an earlier day shows its age in days. */
const startsAt: Readonly<Record<Recording, number>> = {
  cluster: Date.parse('2026-11-22T10:00:00Z'),
  alone: Date.parse('2026-11-23T10:00:00Z'),
  further: Date.parse('2026-11-26T12:12:00Z'),
  infra: Date.parse('2026-11-26T18:30:00Z'),
  blog: Date.parse('2026-11-26T18:30:00Z'),
  forum: Date.parse('2026-11-26T18:30:00Z'),
  wiki: Date.parse('2026-11-26T18:30:00Z'),
  fields: Date.parse('2026-11-26T21:56:00Z'),
  desk: Date.parse('2026-11-26T21:56:00Z'),
};
/** How long the recording waited for an answer. */
const answersWithinSeconds = 15;
const token = 'token-of-the-kubeconfig';

/** What the embedded cluster answered to one request, and where this differs from the recorded answer. */
export interface Replayed {
  readonly exchange: Exchange;
  readonly answer: Answer;
  readonly differences: readonly Difference[];
}

/**
 * Sends every request, in their order and in virtual time, to an embedded cluster or to an embedded API server alone.
 */
export async function replay(
  exchanges: readonly Exchange[],
  recording: Recording = 'cluster',
): Promise<readonly Replayed[]> {
  return recording === 'cluster' ? inCluster(exchanges) : alone(exchanges, startsAt[recording]);
}

/** The recorded cluster had no cloud-controller-manager, which deletes a Node without an instance. */
const withoutCloud: Setup = {
  ...healthy,
  controllers: (installed) => installed.filter(({ controller }) => !controller.name.startsWith('cloud-node')),
};

async function inCluster(exchanges: readonly Exchange[]): Promise<readonly Replayed[]> {
  const saved = await settledWorld({ seed: 'differential', setup: healthy, endsAt: startsAt.cluster });
  return inWorld({ seed: 'differential', saved, setup: withoutCloud }, ({ world, clock }) =>
    replayTo({ server: authenticated(world.api, token), sleep: clock.sleep }, exchanges),
  );
}

async function alone(exchanges: readonly Exchange[], at: number): Promise<readonly Replayed[]> {
  let replayed: readonly Replayed[] = [];
  await inApi(
    async ({ server, clock }) => {
      replayed = await replayTo({ server: authenticated(server.handle, token), sleep: clock.sleep }, exchanges);
    },
    { at },
  );
  return replayed;
}

/** A server that knows the token of these requests, and how to wait beside it. */
export interface Served {
  readonly server: Answering;
  readonly sleep: (seconds: number, signal?: AbortSignal) => Promise<void>;
}

/** Sends every request to that server, in their order. */
export async function replayTo(
  { server, sleep }: Served,
  exchanges: readonly Exchange[],
): Promise<readonly Replayed[]> {
  const answers = new Map<string, unknown>();
  const replayed: Replayed[] = [];
  for (const exchange of exchanges) {
    const left = new AbortController();
    const answer = await Promise.race([
      answerTo(server, withSaved(exchange, answers), left.signal),
      sleep(answersWithinSeconds, left.signal).then(() => unanswered('')),
    ]);
    left.abort();
    if (exchange.save !== undefined) answers.set(exchange.save, answer.body);
    const { status, type, warning, retryAfter, body } = comparable(answer);
    const ours = { status, type, warning, retryAfter, body };
    replayed.push({ exchange, answer, differences: differences(comparable(exchange.answer), ours) });
    await sleep(exchange.settleSeconds ?? 0);
  }
  return replayed;
}

/** The request with the fields of earlier answers in its path. */
function withSaved(exchange: Exchange, answers: ReadonlyMap<string, unknown>): Exchange {
  const path = exchange.path.replace(/\{(\w+)((?:\.\w+)+)\}/g, (_, name: string, field: string) =>
    encodeURIComponent(String(fieldOf(answers.get(name), field.slice(1).split('.')) ?? '')),
  );
  return { ...exchange, path };
}

function fieldOf(value: unknown, [name, ...more]: readonly string[]): unknown {
  if (name === undefined || typeof value !== 'object' || value === null) return value;
  return fieldOf((value as Readonly<Record<string, unknown>>)[name], more);
}

async function answerTo(server: Answering, exchange: Exchange, signal: AbortSignal): Promise<Answer> {
  const { method, path, body } = exchange;
  const authorization = exchange.anonymous ? {} : { authorization: `Bearer ${token}` };
  const headers = { 'user-agent': 'difftest/1.0', ...authorization, ...exchange.headers };
  try {
    const url = `https://127.0.0.1${path}`;
    const response = await server({ method, url, headers, ...(body !== undefined && { body }) }, signal);
    return await answerOf(response, exchange);
  } catch (error) {
    return unanswered(String(error));
  }
}

async function answerOf(response: HttpResponse, { method, watch }: Exchange): Promise<Answer> {
  const { status, headers } = response;
  const text = method === 'HEAD' ? '' : await response.text();
  return {
    status,
    ...(headers['content-type'] !== undefined && { type: headers['content-type'].split(';')[0] ?? '' }),
    ...(headers.warning !== undefined && { warning: headers.warning }),
    ...(headers['retry-after'] !== undefined && { retryAfter: headers['retry-after'] }),
    body: watch && status === 200 ? text.split('\n').filter(Boolean).map(parsed) : parsed(text),
  };
}

/** The request ended without an HTTP answer. */
function unanswered(why: string): Answer {
  return { status: 0, body: why };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

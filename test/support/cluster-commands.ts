import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Surroundings, usualSurroundings } from '@holdfast/embedded-cluster';
import { createProgram } from '../../src/cli/arguments.ts';
import type { Cluster } from '../../src/cluster/cluster.ts';
import { UsageError } from '../../src/host/errors.ts';
import type { Host, HttpRequest, HttpResponse, Signal } from '../../src/host/host.ts';
import { apiServerUrl, type Rehearsal, rehearsalHost } from '../../src/rehearsal/host.ts';
import { keepOutput } from './kept-output.ts';
import { quietHost } from './quiet-host.ts';
import { secrets } from './secrets.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** How a command ended. */
export interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}
/** A shell in front of the embedded cluster, in virtual time, with a kubeconfig for it. */
export interface Shell {
  readonly folder: string;
  readonly kubeconfig: string;
  readonly host: Host;
  readonly rehearsal: Rehearsal;
  /** The cluster as another client sees it. */
  readonly cluster: Cluster;
  /** `holdfast` with these words; `--kubeconfig` is added where the command is one of a real cluster. */
  holdfast(...words: readonly string[]): Promise<Ended>;
  /** The same without `--kubeconfig`. */
  ownKubeconfig(...words: readonly string[]): Promise<Ended>;
  readonly send: (name: Signal) => void;
  /** Called with the output as it is written. */
  hears: (text: string) => void;
  /** The lines that a person types; without it there is no terminal. */
  types: string[] | undefined;
  /** Answers instead of the API server. */
  intercept: (request: HttpRequest) => HttpResponse | undefined;
  /** Permissions that a SelfSubjectAccessReview denies. */
  refuses: (asked: { readonly verb: string; readonly resource: string; readonly group: string }) => boolean;
}

// The embedded cloud checks no signature, and the AWS SDK makes none without these.
process.env.AWS_ACCESS_KEY_ID ??= 'embedded';
process.env.AWS_SECRET_ACCESS_KEY ??= secrets.awsSecretKey;

const clusterCommands = new Set(['validate', 'precheck', 'plan', 'audit', 'rbac', 'recover', 'snapshot']);

/** Runs `main` with a shell, after the embedded cluster has settled. */
export async function inShell(
  t: Pick<TestContext, 'after'>,
  main: (shell: Shell) => Promise<void>,
  surroundings: Surroundings = usualSurroundings,
): Promise<void> {
  const folder = temporaryFolder(t);
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, JSON.stringify(kubeconfigDocument));
  const real = quietHost();
  const rehearsal = rehearsalHost({ seed: '1', real, surroundings });
  const texts = { out: '', talk: '' };
  const output = (name: 'out' | 'talk') => ({
    write: (text: string) => {
      texts[name] += text;
      keepOutput(text, 'in-process');
      if (name === 'talk') shell.hears(text);
    },
    get isTTY() {
      return shell.types !== undefined;
    },
    columns: 80,
    rows: 24,
  });
  const host: Host = {
    ...rehearsal.host,
    out: output('out'),
    talk: output('talk'),
    input: {
      get isTTY() {
        return shell.types !== undefined;
      },
      line: async () => shell.types?.shift(),
      chunks: async function* () {},
    },
    http: async (request, signal) =>
      shell.intercept(request) ?? refusal(shell, request) ?? rehearsal.host.http(request, signal),
  };
  const shell: Shell = {
    folder,
    kubeconfig,
    host,
    rehearsal,
    cluster: rehearsal.world.kubernetes('bystander'),
    send: real.send,
    hears: () => {},
    types: undefined,
    intercept: () => undefined,
    refuses: () => false,
    holdfast(...words) {
      const ours = clusterCommands.has(words[0] ?? '') && !words.includes('--kubeconfig');
      // Commander's variadic options take all that follows, so this one comes first.
      const argv = ours ? [words[0] ?? '', '--kubeconfig', kubeconfig, ...words.slice(1)] : words;
      return shell.ownKubeconfig(...argv);
    },
    async ownKubeconfig(...argv) {
      texts.out = '';
      texts.talk = '';
      const program = createProgram({ host, environment: { HOME: folder }, version: '0.0.0' });
      const exitCode = await program.run(argv).catch((error: unknown) => {
        if (!(error instanceof UsageError)) throw error;
        texts.talk += error.message;
        return 2;
      });
      return { exitCode, stdout: texts.out, stderr: texts.talk };
    },
  };
  await rehearsal.run(() => main(shell));
}

function refusal({ refuses }: Shell, { url, body = '' }: HttpRequest): HttpResponse | undefined {
  if (!url.endsWith('/selfsubjectaccessreviews')) return undefined;
  const review = JSON.parse(body);
  if (!refuses(review.spec.resourceAttributes)) return undefined;
  return json(201, { ...review, status: { allowed: false } });
}

/** A response of the API server. */
export function json(status: number, body: object): HttpResponse {
  const text = JSON.stringify(body);
  return {
    status,
    headers: { 'content-type': 'application/json' },
    text: async () => text,
    chunks: async function* () {
      yield new TextEncoder().encode(text);
    },
    discard: () => {},
  };
}

const kubeconfigDocument = {
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'embedded', cluster: { server: apiServerUrl } }],
  users: [{ name: 'tester', user: { token: secrets.bearerToken } }],
  contexts: [{ name: 'embedded', context: { cluster: 'embedded', user: 'tester' } }],
  'current-context': 'embedded',
};

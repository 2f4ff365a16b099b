import type { TestContext } from 'node:test';
import { rehearsalSite } from '../../src/cli/cluster/rehearsal-site.ts';
import { surroundingsOf } from '../../src/cli/settings/surroundings-of.ts';
import { OperationError } from '../../src/host/errors.ts';
import type { Host, HttpRequest, Signal } from '../../src/host/host.ts';
import { type Rehearsal, type RehearsalOptions, rehearsalHost } from '../../src/rehearsal/host.ts';
import type { IrreversibleAction } from '../../src/validation/actions/consent.ts';
import { type ReadRun, readRun } from '../../src/validation/judge/read-run.ts';
import { procedure } from '../../src/validation/procedure/procedure.ts';
import type { ValidationFact } from '../../src/validation/record/events.ts';
import { scenarios as allScenarios } from '../../src/validation/scenarios/index.ts';
import type { Scenario } from '../../src/validation/scenarios/scenario.ts';
import { type Settings, validationSchema } from '../../src/validation/settings.ts';
import type { Site } from '../../src/validation/site.ts';
import { quietHost } from './quiet-host.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface Rehearsed extends ReadRun {
  readonly folder: string;
  readonly rehearsal: Rehearsal;
}
export interface RehearseOptions {
  /** The run folder; a temporary one by default. */
  readonly folder?: string;
  readonly seed?: number;
  readonly scenarios?: readonly Scenario[];
  readonly settings?: Partial<Settings>;
  readonly cleanup?: boolean;
  readonly world?: Partial<RehearsalOptions>;
  /** Whether the API server answers this request; otherwise it is away. */
  readonly answers?: (request: HttpRequest) => boolean;
  /** Wraps the host of the embedded cluster. */
  readonly through?: (host: Host, rehearsal: Rehearsal) => Host;
  /** How the run reaches the cluster; as `rehearse` does by default. */
  readonly site?: (host: Host) => Site;
  /** Whether a person allows an irreversible action; every action is allowed by default. */
  readonly allows?: (action: IrreversibleAction, rehearsal: Rehearsal) => Promise<boolean>;
  readonly onScenarioEnd?: (scenario: Scenario, host: Host) => Promise<void>;
  readonly onFact?: (fact: ValidationFact, rehearsal: Rehearsal, send: (name: Signal) => void) => void;
}

/** Runs the whole procedure on an embedded cluster and reads its two files. */
export async function rehearse(t: Pick<TestContext, 'after'>, options: RehearseOptions = {}): Promise<Rehearsed> {
  const folder = options.folder ?? temporaryFolder(t);
  const real = quietHost();
  const settings = { ...validationSchema.parse({}), ...options.settings };
  const seed = options.seed ?? 1;
  const rehearsal = rehearsalHost({
    seed: String(seed),
    real,
    surroundings: surroundingsOf(settings),
    ...options.world,
  });
  const whole = { ...rehearsal.host, http: answering(rehearsal.host.http, options.answers) };
  const host = options.through?.(whole, rehearsal) ?? whole;
  await rehearsal.run(() =>
    procedure({
      site: (options.site ?? ((host) => rehearsalSite({ host })))(host),
      settings,
      folder,
      run: { id: 'test', kind: 'rehearsal', seed, cluster: 'embedded cluster' },
      version: '0.0.0',
      scenarios: options.scenarios ?? allScenarios,
      partial: options.scenarios !== undefined,
      cleanup: options.cleanup ?? false,
      allows: async (action) => options.allows?.(action, rehearsal) ?? true,
      onFact: (fact) => options.onFact?.(fact, rehearsal, real.send),
      onScenarioEnd: async (scenario) => options.onScenarioEnd?.(scenario, host),
    }),
  );
  const run = await readRun(real.files, folder);
  if (run === undefined) throw new Error('the run left no journal');
  return { ...run, folder, rehearsal };
}

function answering(http: Host['http'], answers: RehearseOptions['answers'] = () => true): Host['http'] {
  return (request, signal) => {
    if (answers(request)) return http(request, signal);
    const failure = { tried: request.method, on: request.url, reason: 'connection refused' };
    return Promise.reject(new OperationError(failure));
  };
}

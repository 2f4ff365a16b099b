import { allowedDisruptions, countedNodes } from '../autoscaler/budgets.ts';
import { blocked, type Candidate } from '../autoscaler/candidates.ts';
import { isSynced } from '../autoscaler/cluster-state.ts';
import {
  type Command,
  candidatesFor,
  drift,
  emptiness,
  type Method,
  type Situation,
  underutilization,
} from '../autoscaler/commands.ts';
import { claimFor } from '../autoscaler/new-claim.ts';
import { disruptedTaint } from '../autoscaler/well-known.ts';
import type { NodeClaim } from '../kubernetes/autoscaler.ts';
import { ApiError } from '../kubernetes/cluster.ts';
import { isTrue, withConditions } from '../objects/conditions.ts';
import { recordEvent } from '../reconciling/events.ts';
import { loop } from '../reconciling/loop.ts';
import { withoutTaint, withTaint } from '../scheduling/taints.ts';
import type { AutoscalerBehaviour } from '../setup/setup.ts';
import type { Controller, Site } from '../setup/site.ts';

/** A command in progress: its candidates are tainted, its replacements are launching (queue.go). */
interface CommandInProgress {
  readonly command: Command;
  readonly replacements: readonly NodeClaim[];
  /** Epoch milliseconds; then the candidates are kept. */
  readonly timesOutAt: number;
}

/** In Karpenter's order. A validated method decides again after a pause, and what it no longer decides is dropped. */
const methods: readonly { readonly method: Method; readonly validated: boolean }[] = [
  { method: emptiness, validated: true },
  { method: drift, validated: false },
  { method: underutilization, validated: true },
];

/**
 * Karpenter's disruption controller: every 10 s, and again after a command, the command of the first method that has
 * one (pkg/controllers/disruption).
 */
export function disruption(zones: readonly string[], behaviour: AutoscalerBehaviour): Controller {
  const inProgress = new Set<CommandInProgress>();
  return loop({
    name: 'disruption',
    period: 'disruptionPoll',
    pass: async (site) => {
      if (!isSynced(site.cache)) return 'autoscalerSync';
      await untaintAbandoned(site, inProgress);
      await recordBlocked(site);
      const situation = () => ({ cache: site.cache, now: site.now(), zones, behaviour });
      const command = await firstCommand(site, situation);
      if (command === undefined) return undefined;
      await start(site, command, inProgress, behaviour);
      return 'disruptionAgain';
    },
  });
}

async function firstCommand(site: Site, situation: () => Situation): Promise<Command | undefined> {
  for (const { method, validated } of methods) {
    const command = method(situation());
    if (command === undefined) continue;
    if (!validated) return command;
    await pause(site, site.delay('disruptionValidation'));
    return stillValid(command, method(situation()));
  }
  return undefined;
}

const pause = (site: Site, seconds: number): Promise<void> => new Promise((resolve) => site.after(seconds, resolve));

/** The command with the candidates that the method still chooses; undefined when there is none left. */
function stillValid(command: Command, again: Command | undefined): Command | undefined {
  const names = new Set(again?.candidates.map(({ claim }) => claim.metadata.uid));
  const candidates = command.candidates.filter(({ claim }) => names.has(claim.metadata.uid));
  return candidates.length === 0 ? undefined : { ...command, candidates };
}

const reasons = ['Empty', 'Drifted', 'Underutilized'] as const;

/**
 * Events about nodes that are blocked, and about pools whose budgets allow nothing. As in Karpenter there is no event
 * about a budget that allows something but is used up (helpers.go, BuildDisruptionBudgetMapping).
 */
async function recordBlocked(site: Site): Promise<void> {
  for (const { claim, node, message } of blocked(site.cache, site.now())) {
    if (node !== undefined) await recordEvent(site, node, 'Normal', 'DisruptionBlocked', message);
    await recordEvent(site, claim, 'Normal', 'DisruptionBlocked', message);
  }
  const possible = reasons.filter((reason) => candidatesFor(reason, site.cache, site.now()).length > 0);
  for (const pool of site.cache.list('NodePool')) {
    const nodes = countedNodes(pool, site.cache).length;
    const disallowed = possible.filter(
      (reason) => nodes > 0 && allowedDisruptions(pool, reason, nodes, site.now()) === 0,
    );
    for (const reason of disallowed) {
      const message = `No allowed disruptions for disruption reason ${reason} due to blocking budget`;
      await recordEvent(site, pool, 'Normal', 'DisruptionBlocked', message, {
        afterSeconds: poolDedupeSeconds,
        as: reason,
      });
    }
  }
}

/** Such an event is repeated after this long (disruption/events): budgets can change every minute. */
const poolDedupeSeconds = 60;

/** Untaints nodes that are in no command, as after a restart of Karpenter (controller.go). */
async function untaintAbandoned(site: Site, inProgress: ReadonlySet<CommandInProgress>): Promise<void> {
  const busy = new Set(
    [...inProgress].flatMap(({ command }) => command.candidates.map(({ claim }) => claim.metadata.uid)),
  );
  for (const claim of site.cache.list('NodeClaim')) {
    const node = site.cache.get('Node', claim.status?.nodeName ?? '');
    const isTainted = node?.spec?.taints?.some(({ key }) => key === disruptedTaint.key) === true;
    if (
      node === undefined ||
      !isTainted ||
      busy.has(claim.metadata.uid) ||
      claim.metadata.deletionTimestamp !== undefined
    )
      continue;
    await taint(site, { claim, node }, false);
  }
}

async function start(
  site: Site,
  command: Command,
  inProgress: Set<CommandInProgress>,
  behaviour: AutoscalerBehaviour,
): Promise<void> {
  for (const candidate of command.candidates) {
    await taint(site, candidate, true);
    await setDisruptionReason(site, candidate, command.reason);
  }
  const replacements: NodeClaim[] = [];
  for (const plan of command.replacements) {
    replacements.push(await site.cluster.create(claimFor(plan, site.random, behaviour)));
  }
  const started = { command, replacements, timesOutAt: site.now() + 1000 * site.delay('disruptionGivenUp') };
  inProgress.add(started);
  if (replacements.length === 0) await follow(site, started, inProgress);
  else followLater(site, started, inProgress);
}

function followLater(site: Site, started: CommandInProgress, inProgress: Set<CommandInProgress>): void {
  const untilTickSeconds = 1 - (site.now() % 1000) / 1000;
  const refused = (error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    followLater(site, started, inProgress);
  };
  site.after(untilTickSeconds, () => void follow(site, started, inProgress).catch(refused).catch(site.failed));
}

/**
 * Once a second: deletes the candidates when all replacements are initialized, untaints them on a timeout (queue.go).
 */
async function follow(site: Site, started: CommandInProgress, inProgress: Set<CommandInProgress>): Promise<void> {
  const claims = started.replacements.map(({ metadata }) => site.cache.get('NodeClaim', metadata.name));
  const areReady = claims.every((claim) => claim !== undefined && isTrue(claim, 'Initialized'));
  if (!areReady && site.now() < started.timesOutAt) {
    await recordWaiting(site, claims, started.command);
    return followLater(site, started, inProgress);
  }
  for (const candidate of started.command.candidates) {
    if (areReady) await remove(site, candidate, started.command);
    else await taint(site, candidate, false);
  }
  inProgress.delete(started);
}

async function recordWaiting(
  site: Site,
  claims: readonly (NodeClaim | undefined)[],
  { reason }: Command,
): Promise<void> {
  const message = 'Waiting on readiness to continue disruption';
  for (const claim of claims.filter((one) => one !== undefined)) {
    if (isTrue(claim, 'Initialized')) continue;
    await recordEvent(site, claim, 'Normal', 'DisruptionLaunching', `Launching NodeClaim: ${reason}`);
    await recordEvent(site, claim, 'Normal', 'DisruptionWaitingReadiness', message);
  }
}

async function remove(site: Site, { claim, node }: Candidate, { reason }: Command): Promise<void> {
  await recordEvent(site, node, 'Normal', 'DisruptionTerminating', `Disrupting Node: ${reason}`);
  await recordEvent(site, claim, 'Normal', 'DisruptionTerminating', `Disrupting NodeClaim: ${reason}`);
  await site.cluster.delete('NodeClaim', { name: claim.metadata.name }, { uid: claim.metadata.uid ?? '' });
}

async function taint(site: Site, { node, claim }: Pick<Candidate, 'node' | 'claim'>, isOn: boolean): Promise<void> {
  const current = site.cache.get('Node', node.metadata.name);
  if (current === undefined) return;
  const before = current.spec?.taints ?? [];
  const taints = isOn ? withTaint(before, disruptedTaint) : withoutTaint(before, disruptedTaint.key);
  await site.cluster.patch('Node', { name: node.metadata.name }, { type: 'merge', value: { spec: { taints } } });
  if (isOn) return;
  const conditions = (claim.status?.conditions ?? []).filter(({ type }) => type !== 'DisruptionReason');
  await site.cluster.patch(
    'NodeClaim',
    { name: claim.metadata.name },
    { type: 'merge', value: { status: { conditions } } },
    { subresource: 'status' },
  );
}

async function setDisruptionReason(site: Site, { claim }: Candidate, reason: Command['reason']): Promise<void> {
  const stated = [{ type: 'DisruptionReason', status: 'True', reason, message: reason }] as const;
  const current = site.cache.get('NodeClaim', claim.metadata.name) ?? claim;
  const value = { status: { conditions: withConditions(current.status?.conditions, stated, site.now()) } };
  await site.cluster.patch(
    'NodeClaim',
    { name: claim.metadata.name },
    { type: 'merge', value },
    { subresource: 'status' },
  );
}

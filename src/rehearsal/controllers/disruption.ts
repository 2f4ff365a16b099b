import type { NodeClaim } from '../../cluster/autoscaler.ts';
import { allowedDisruptions, countedNodes } from '../autoscaler/budgets.ts';
import { type Candidate, held } from '../autoscaler/candidates.ts';
import {
  type Command,
  drift,
  emptiness,
  type Method,
  type Situation,
  underutilization,
} from '../autoscaler/commands.ts';
import { claimFor } from '../autoscaler/new-claim.ts';
import { disruptedTaint } from '../autoscaler/words.ts';
import { isTrue, withConditions } from '../objects/conditions.ts';
import { withoutTaint, withTaint } from '../scheduling/taints.ts';
import type { AutoscalerHabits } from '../setup/setup.ts';
import type { Controller, Site } from '../setup/site.ts';
import { recordEvent } from './events.ts';
import { loop } from './loop.ts';

/** A command that is being carried out: its nodes are tainted, its replacements are on their way. */
interface UnderWay {
  readonly command: Command;
  readonly replacements: readonly NodeClaim[];
  readonly givenUpAt: number;
}

/** In this order; those that are validated are looked at again after a pause, and dropped when they no longer hold. */
const methods: readonly { readonly method: Method; readonly validated: boolean }[] = [
  { method: emptiness, validated: true },
  { method: drift, validated: false },
  { method: underutilization, validated: true },
];

/** Karpenter's disruption controller: every 10 s the first method with something to do (pkg/controllers/disruption). */
export function disruption(zones: readonly string[], habits: AutoscalerHabits): Controller {
  const underWay = new Set<UnderWay>();
  return loop({
    name: 'disruption',
    period: 'disruptionPoll',
    pass: async (site) => {
      await forgetAbandoned(site, underWay);
      await explainBlocked(site);
      const situation = () => ({ cache: site.cache, now: site.now(), zones, habits });
      const command = await firstCommand(site, situation);
      if (command !== undefined) await begin(site, command, underWay, habits);
    },
  });
}

async function firstCommand(site: Site, situation: () => Situation): Promise<Command | undefined> {
  for (const { method, validated } of methods) {
    const command = method(situation());
    if (command === undefined) continue;
    if (!validated) return command;
    await pause(site, site.delay('disruptionValidation'));
    return stillHolding(command, method(situation()));
  }
  return undefined;
}

const pause = (site: Site, seconds: number): Promise<void> => new Promise((resolve) => site.after(seconds, resolve));

/** What of the command the same method would still do. */
function stillHolding(command: Command, again: Command | undefined): Command | undefined {
  const names = new Set(again?.candidates.map(({ claim }) => claim.metadata.uid));
  const candidates = command.candidates.filter(({ claim }) => names.has(claim.metadata.uid));
  return candidates.length === 0 ? undefined : { ...command, candidates };
}

const reasons = ['Empty', 'Drifted', 'Underutilized'] as const;

/** Says what holds each node, and which pools allow nothing: a budget that is only used up is explained by nobody (facts 3.3). */
async function explainBlocked(site: Site): Promise<void> {
  for (const { candidate, why } of held(site.cache, site.now())) {
    await recordEvent(site, candidate.node, 'Normal', 'DisruptionBlocked', why);
    await recordEvent(site, candidate.claim, 'Normal', 'DisruptionBlocked', why);
  }
  for (const pool of site.cache.list('NodePool')) {
    const nodes = countedNodes(pool, site.cache).length;
    const none = reasons.filter((reason) => nodes > 0 && allowedDisruptions(pool, reason, nodes, site.now()) === 0);
    for (const reason of none) {
      const message = `No allowed disruptions for disruption reason ${reason} due to blocking budget`;
      await recordEvent(site, pool, 'Normal', 'DisruptionBlocked', message, poolDedupeSeconds);
    }
  }
}

/** A pool's budgets can change every minute (disruption/events). */
const poolDedupeSeconds = 60;

/** Nodes that are tainted for no command, as after a restart, are given back (controller.go). */
async function forgetAbandoned(site: Site, underWay: ReadonlySet<UnderWay>): Promise<void> {
  const busy = new Set(
    [...underWay].flatMap(({ command }) => command.candidates.map(({ claim }) => claim.metadata.uid)),
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

async function begin(site: Site, command: Command, underWay: Set<UnderWay>, habits: AutoscalerHabits): Promise<void> {
  for (const candidate of command.candidates) {
    await taint(site, candidate, true);
    await stateReason(site, candidate, command.reason);
  }
  const replacements: NodeClaim[] = [];
  for (const plan of command.replacements) {
    const claim = await site.cluster.create(claimFor(plan, site.random, habits));
    await recordEvent(site, claim, 'Normal', 'DisruptionLaunching', `Launching NodeClaim: ${command.reason}`);
    replacements.push(claim);
  }
  const started = { command, replacements, givenUpAt: site.now() + 1000 * site.delay('disruptionGivenUp') };
  underWay.add(started);
  await follow(site, started, underWay);
}

/** Once a second: are the replacements ready for use? Then the candidates go. Too late: they are given back (queue.go). */
async function follow(site: Site, started: UnderWay, underWay: Set<UnderWay>): Promise<void> {
  const claims = started.replacements.map(({ metadata }) => site.cache.get('NodeClaim', metadata.name));
  const isReady = claims.every((claim) => claim !== undefined && isTrue(claim, 'Initialized'));
  if (!isReady && site.now() < started.givenUpAt) {
    await tellWaiting(site, claims);
    site.after(1, () => void follow(site, started, underWay).catch(site.failed));
    return;
  }
  for (const candidate of started.command.candidates) {
    if (isReady) await remove(site, candidate, started.command);
    else await taint(site, candidate, false);
  }
  underWay.delete(started);
}

async function tellWaiting(site: Site, claims: readonly (NodeClaim | undefined)[]): Promise<void> {
  const message = 'Waiting on readiness to continue disruption';
  for (const claim of claims.filter((one) => one !== undefined))
    if (!isTrue(claim, 'Initialized')) await recordEvent(site, claim, 'Normal', 'DisruptionWaitingReadiness', message);
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

async function stateReason(site: Site, { claim }: Candidate, reason: Command['reason']): Promise<void> {
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

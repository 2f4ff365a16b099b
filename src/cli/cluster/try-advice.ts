import { rehearseSchema } from '../../settings/rehearse-settings.ts';
import type { RunResult } from '../../validation/judge/run-result.ts';
import type { FrontDoorRehearsed } from '../../validation/record/front-door-rehearsed.ts';
import { type ShownPart, shownPart } from '../../validation/window-downtime.ts';
import type { Advice } from '../front-doors/front-door-advice.ts';
import type { OwnRehearsal } from './rehearsal-run.ts';

type Given = FrontDoorRehearsed['advice'][number];
type Rehearse = (order: OwnRehearsal) => Promise<RunResult | undefined>;

/** A change of chance is smaller: what is lost by one scenario of two seeds differs by up to a third. */
const helpsBelow = 0.6;
/** Shorter outages come and go by chance. */
const worthSeconds = 1;
/** More would show the same again. */
const mostScenarios = 2;

/**
 * Tries each piece of advice in a rehearsal of the scenarios that it would shorten, and gives the first of each list
 * that helps. What needs no trial is given as it is; where nothing was lost, nothing is tried.
 */
export async function triedAdvice(
  lists: readonly (readonly Advice[])[],
  {
    order,
    result,
    rehearse,
  }: { readonly order: OwnRehearsal; readonly result: RunResult; readonly rehearse: Rehearse },
): Promise<readonly Given[]> {
  const given: Given[] = [];
  for (const list of lists) {
    const found = await firstThatHelps(list, { order, result, rehearse });
    if (found !== undefined) given.push(found);
  }
  return given;
}

type Trying = Parameters<typeof triedAdvice>[1];

async function firstThatHelps(list: readonly Advice[], trying: Trying): Promise<Given | undefined> {
  for (const one of list) {
    const { what, because } = one;
    if (one.change === undefined && one.installed === undefined) return { what, because, tried: false };
    const trials = await trialsOf(one, trying);
    if (trials.length > 0 && lostOf(trials, 'with') < helpsBelow * lostOf(trials, 'without'))
      return { what, because, tried: true, trials };
  }
  return undefined;
}

type Trials = NonNullable<Given['trials']>;

/** How the scenarios went without it and with it. What the proxies have installed already is tried without. */
async function trialsOf(one: Advice, { order, result, rehearse }: Trying): Promise<Trials> {
  const isReversed = one.installed === 'official';
  const scenario = isReversed ? asked(one, result) : hit(one, result);
  if (scenario.length === 0) return [];
  const other = await rehearse({ ...changed(order, one), scenario });
  return scenario.flatMap((name) => {
    const [as, otherwise] = [downtimeOf(result, name), downtimeOf(other, name)];
    if (as === null || otherwise === null) return [];
    return [{ scenario: name, ...(isReversed ? { without: otherwise, with: as } : { without: as, with: otherwise }) }];
  });
}

function changed(order: OwnRehearsal, { change = (same) => same, installed }: Advice): OwnRehearsal {
  const { rehearse = rehearseSchema.parse({}) } = order.settings;
  const settings =
    installed === undefined ? order.settings : { ...order.settings, rehearse: { ...rehearse, ingress: installed } };
  return { ...order, own: change(order.own), settings };
}

const asked = ({ shortens }: Advice, result: RunResult): readonly string[] =>
  shortens.filter((name) => downtimeOf(result, name) !== null);

const hit = (one: Advice, result: RunResult): readonly string[] =>
  asked(one, result)
    .filter((name) => lost(downtimeOf(result, name)) >= worthSeconds)
    .toSorted((a, b) => lost(downtimeOf(result, b)) - lost(downtimeOf(result, a)))
    .slice(0, mostScenarios);

function downtimeOf(result: RunResult | undefined, name: string): ShownPart | null {
  const found = result?.scenarios.find((one) => one.name === name && one.notApplicable === undefined);
  return found?.downtime ? shownPart(found.downtime) : null;
}

/** The seconds of an outage of all requests that would fail as many. */
const lost = (downtime: ShownPart | null): number =>
  downtime === null ? 0 : downtime.span.seconds * (downtime.share?.part ?? 1);

const lostOf = (trials: Trials, which: 'with' | 'without'): number =>
  trials.reduce((sum, one) => sum + lost(one[which]), 0);

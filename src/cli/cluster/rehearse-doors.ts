import type { Journal } from '../../journal/journal.ts';
import type { RunResult } from '../../validation/judge/run-result.ts';
import type { ValidationFact } from '../../validation/record/events.ts';
import type { FrontDoorRehearsed } from '../../validation/record/front-door-rehearsed.ts';
import { shownPart } from '../../validation/window-downtime.ts';
import { adviceFor } from '../front-doors/front-door-advice.ts';
import type { FrontDoorName } from '../manifests/front-door.ts';
import type { OwnRehearsal } from './rehearsal-run.ts';
import type { Rehearsals } from './rehearsal-thread.ts';
import { triedAdvice } from './try-advice.ts';

/** The rehearsal of the application behind one front door. */
export interface BehindDoor {
  readonly name: FrontDoorName;
  /** Whether the manifests have it. */
  readonly declared: boolean;
  readonly order: OwnRehearsal;
}

/** Rehearses the application behind each front door with the seed of the run, and records what visitors notice. */
export async function recordFrontDoors(
  { resultOf }: Pick<Rehearsals, 'resultOf'>,
  { doors, made, main }: { readonly doors: readonly BehindDoor[]; readonly made: RunResult; readonly main: string },
  journal: Pick<Journal<ValidationFact>, 'record'>,
): Promise<void> {
  const all = doors.map(async ({ name, declared, order }) => {
    const result = name === main ? made : await resultOf(order);
    if (result === undefined) return [];
    const installed = order.settings.rehearse?.ingress ?? 'mended';
    const advice = await triedAdvice(adviceFor(name, order.own, installed), { order, result, rehearse: resultOf });
    return [{ ...rehearsedBehind(name, declared, order, result), advice }];
  });
  for (const fact of (await Promise.all(all)).flat()) journal.record(fact);
}

function rehearsedBehind(
  name: FrontDoorName,
  declared: boolean,
  { own }: OwnRehearsal,
  result: RunResult,
): Omit<FrontDoorRehearsed, 'at' | 'advice'> {
  return {
    type: 'front-door-rehearsed',
    name,
    declared,
    verdict: result.applications?.[0]?.verdict ?? result.verdict,
    scenarios: result.scenarios.map(({ name, verdict, notApplicable, downtime }) => ({
      name,
      outcome: notApplicable === undefined ? verdict : 'not-applicable',
      downtime: downtime && shownPart(downtime),
    })),
    notRehearsed: own.notRehearsed,
  };
}

import type { Journal } from '../../journal/journal.ts';
import type { RunResult } from '../../validation/judge/run-result.ts';
import type { ValidationFact } from '../../validation/record/events.ts';
import type { FrontDoorRehearsed } from '../../validation/record/front-door-rehearsed.ts';
import { shownPart } from '../../validation/window-downtime.ts';
import type { Context } from '../command/context.ts';
import { adviceFor } from '../front-doors/front-door-advice.ts';
import type { FrontDoorName } from '../manifests/front-door.ts';
import { type OwnRehearsal, resultOf } from './rehearsal-run.ts';
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
  context: Context,
  { doors, made, main }: { readonly doors: readonly BehindDoor[]; readonly made: RunResult; readonly main: string },
  journal: Pick<Journal<ValidationFact>, 'record'>,
  say: (line: string) => void,
): Promise<void> {
  for (const { name, declared, order } of doors) {
    context.signal?.throwIfAborted();
    if (name !== main) say(`behind ${name}: the same application, with the same seed`);
    const result = name === main ? made : await resultOf(context, order);
    if (result === undefined) continue;
    const installed = order.settings.rehearse?.ingress ?? 'mended';
    const rehearse = (changed: OwnRehearsal) => resultOf(context, changed);
    const advice = await triedAdvice(adviceFor(name, order.own, installed), { order, result, rehearse });
    journal.record({ ...rehearsedBehind(name, declared, order, result), advice });
  }
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

import { UsageError } from '../../host/errors.ts';
import type { AllowsAction } from '../../validation/actions/consent.ts';
import type { Scenario } from '../../validation/scenarios/scenario.ts';
import type { Context } from '../command/context.ts';
import { say } from '../command/say.ts';

/** What the command line allows without a question. */
export interface Allowed {
  /** `--yes`: writes that can be undone. */
  readonly reversible: boolean;
  /** `--allow-terminate`: scenarios that terminate instances. */
  readonly terminate: boolean;
}

/** The flags that are missing where nobody can be asked, one sentence each. */
export function consentMistakes(
  { host }: Context,
  allowed: Allowed,
  chosen: readonly Pick<Scenario, 'name' | 'terminates' | 'onlyWithFlag'>[],
): readonly string[] {
  const terminating = allowed.terminate ? [] : chosen.filter(({ terminates }) => terminates !== undefined);
  const unasked = terminating
    .filter(({ onlyWithFlag }) => onlyWithFlag)
    .map((one) => flagMissing(one, 'nobody is asked'));
  if (isInteractive(host)) return unasked;
  return [
    ...(allowed.reversible
      ? []
      : ['validate writes to the cluster, and there is no terminal to ask for consent: add --yes.']),
    ...terminating
      .filter(({ onlyWithFlag }) => !onlyWithFlag)
      .map((one) => flagMissing(one, 'there is no terminal to ask for consent')),
    ...unasked,
  ];
}

const flagMissing = ({ name, terminates }: Pick<Scenario, 'name' | 'terminates'>, because: string): string =>
  `${name} terminates ${terminates}, which nothing undoes, and ${because}: add --allow-terminate.`;

/** Asks for `yes`. Any other answer is a `UsageError`. */
export async function askToBegin({ host }: Context, summary: string): Promise<void> {
  say(host.talk, summary);
  host.talk.write('Type yes to begin: ');
  const answer = await host.input.line();
  if (answer?.trim() !== 'yes')
    throw new UsageError(['the run was not confirmed, and nothing was done: answer yes, or give --yes.']);
}

/** Asks for the name of what an irreversible action would destroy, unless the command line allowed it. */
export function askBeforeAction({ host }: Context, allowed: Allowed): AllowsAction {
  return async ({ subject, typed, because }, signal) => {
    if (allowed.terminate) return true;
    say(host.talk, `${subject} will be terminated, which nothing undoes; ${because}`);
    host.talk.write(`Type ${typed} to allow it, or anything else to leave it out: `);
    return (await host.input.line(signal))?.trim() === typed;
  };
}

const isInteractive = ({ input, talk }: Context['host']): boolean => input.isTTY && talk.isTTY;

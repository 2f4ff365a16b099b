import { UsageError } from '../../host/errors.ts';
import type { Context } from '../command/context.ts';
import type { AllowsAction } from '../../validation/actions/consent.ts';

/** What the command line allows before anybody is asked. */
export interface Allowed {
  /** `--yes`: writes that are undone. */
  readonly reversible: boolean;
  /** `--allow-terminate`: the instance kill. */
  readonly terminate: boolean;
}

/** What is wrong where nobody can be asked, one sentence each. */
export function consentMistakes({ host }: Context, allowed: Allowed, willTerminate: boolean): readonly string[] {
  if (isInteractive(host)) return [];
  return [
    ...(allowed.reversible ? [] : ['this writes to the cluster, and there is no terminal to ask: say --yes.']),
    ...(allowed.terminate || !willTerminate
      ? []
      : ['instance-kill ends an instance for good, and there is no terminal to ask: say --allow-terminate.']),
  ];
}

/** Asks for a yes. Anything else is a `UsageError`: nothing was done. */
export async function askToBegin({ host }: Context, summary: string): Promise<void> {
  host.talk.write(`${summary}\nType yes to go on: `);
  const answer = await host.input.line();
  if (answer?.trim() !== 'yes') throw new UsageError(['it was not confirmed, and nothing was done.']);
}

/** For what nothing undoes its name has to be typed, unless the command line allowed it. */
export function askBeforeDeed({ host }: Context, allowed: Allowed): AllowsAction {
  return async ({ subject, typed, because }, signal) => {
    if (allowed.terminate) return true;
    host.talk.write(
      `${subject} will be ended for good. ${because}\nType ${typed} to allow it, anything else to leave it: `,
    );
    return (await host.input.line(signal))?.trim() === typed;
  };
}

const isInteractive = ({ input, talk }: Context['host']): boolean => input.isTTY && talk.isTTY;

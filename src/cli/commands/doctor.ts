import { problems, statusOf } from '../../deployment/status.ts';
import type { Perform } from '../command.ts';
import { readCheckout } from '../read-deployment.ts';

/** `holdfast doctor`: what would break a deploy, touching nothing; exit 1 where something would. */
export const doctor: Perform = async (context, given) => {
  const wrong = problems(await statusOf(context.host, await readCheckout(context, given)));
  const { host, flags } = context;
  host.out.write(
    flags.json
      ? `${JSON.stringify({ schemaVersion: 1, problems: wrong })}\n`
      : wrong.map((line) => `${line}\n`).join(''),
  );
  return wrong.length === 0 ? 0 : 1;
};

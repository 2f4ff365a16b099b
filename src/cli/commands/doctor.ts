import { openCheckout } from '../../deployment/checkout/open-checkout.ts';
import type { Check } from '../../deployment/doctor/check.ts';
import { examine } from '../../deployment/doctor.ts';
import { repairNow } from '../../deployment/repair-now.ts';
import type { Output } from '../../host/host.ts';
import { secretsOf } from '../../notification/notifiers.ts';
import { createRedactor } from '../../notification/redactor.ts';
import type { Perform } from '../command/command.ts';
import { fitted } from '../command/hanging-indent.ts';
import { readDeployment, talkative } from '../settings/read-deployment.ts';
import { fittedVerdict } from './deploy.ts';

/**
 * `doctor`: what would break a deploy, reading only; exit 1 if something would. `--repair` undoes what a killed deploy
 * left, or finishes a failed rollback.
 */
export const doctor: Perform = async (context, given) => {
  const settings = await readDeployment(context, given);
  const { host, flags } = context;
  if (given.options.repair === true) {
    const document = await repairNow(talkative(context), settings);
    host.out.write(flags.json ? `${JSON.stringify(document)}\n` : fittedVerdict(host.out, document));
    return document.exitCode;
  }
  const checkout = await openCheckout(host, settings);
  const checks = await examine(host, settings, checkout);
  const { redact } = createRedactor([...secretsOf(settings), ...checkout.secrets]);
  host.out.write(
    redact(
      flags.json
        ? `${JSON.stringify({ schemaVersion: 1, checks })}\n`
        : checks.map((check) => line(check, host.out)).join(''),
    ),
  );
  return checks.every(({ ok }) => ok) ? 0 : 1;
};

/** `!` breaks a deploy, `?` should be looked at. */
function line({ name, ok, warning, said }: Check, out: Output): string {
  return `${fitted(out, `${ok ? (warning ? '? ' : '  ') : '! '}${name.padEnd(10)}`, said)}\n`;
}

import { OperationError } from '../host/errors.ts';
import type { Host } from '../host/host.ts';
import { type Checkout, enterCheckout } from './checkout/checkout.ts';
import { freezeText, frozen } from './checkout/freeze.ts';
import { sentence } from './log/sentence.ts';
import { readHistory } from './record/history.ts';
import { trustIn } from './record/trust.ts';
import { layoutTrouble } from './releases/layout-trouble.ts';
import { logTrouble } from './run/log-file.ts';
import type { DeploymentSettings } from './settings/settings.ts';
import { needs } from './verify/cannot-start.ts';

/**
 * Why a deploy with these settings would end before it changes anything, one sentence each, as far as that is to be
 * seen. Changes nothing.
 */
export async function refusals(host: Host, settings: DeploymentSettings): Promise<readonly string[]> {
  const log = await logTrouble(host, settings);
  return [...(log === undefined ? [] : [log]), ...(await ofCheckout(host, settings))];
}

async function ofCheckout(host: Host, settings: DeploymentSettings): Promise<readonly string[]> {
  const entered = await enterCheckout(host, settings);
  if ('checkout' in entered) return ofEntered(host, settings, entered.checkout);
  // The deploy would clone it first.
  const isClone = settings.cloneUrl !== undefined && (await host.files.list(settings.appDir)).length === 0;
  return isClone ? [] : [sentence(entered.event)];
}

async function ofEntered(host: Host, settings: DeploymentSettings, checkout: Checkout): Promise<readonly string[]> {
  const given = { host, settings, checkout };
  const found = await Promise.all([
    frozen(host.files, checkout.stateFolder).then((freeze) => freeze && freezeText(freeze)),
    readHistory(host.files, checkout.stateFolder).then((runs) => layoutTrouble({ ...given, trust: trustIn(runs) })),
    ...needs.map(({ trouble }) => trouble(given)),
  ]).catch(unlessOperation);
  return found.filter((because) => because !== undefined);
}

/** Such as a state folder that this user cannot read. */
function unlessOperation(error: unknown): readonly string[] {
  if (error instanceof OperationError) return [error.message];
  throw error;
}

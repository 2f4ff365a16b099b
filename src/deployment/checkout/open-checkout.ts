import { OperationError, UsageError } from '../../host/errors.ts';
import type { Host } from '../../host/host.ts';
import { sentence } from '../log/sentence.ts';
import type { CheckoutSettings } from '../settings/settings.ts';
import { type Checkout, enterCheckout } from './checkout.ts';

/** The checkout, for commands that only read it or set its freeze. A folder that is no checkout is a `UsageError`. */
export async function openCheckout(host: Host, settings: CheckoutSettings): Promise<Checkout> {
  const entered = await enterCheckout(host, settings);
  if ('checkout' in entered) return entered.checkout;
  const because = sentence(entered.event);
  if (entered.event.type === 'refused') throw new UsageError([because]);
  throw new OperationError({ tried: 'Entering', on: settings.appDir, reason: because });
}

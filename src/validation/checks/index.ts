import type { Finding } from '../finding.ts';
import type { Site } from '../scenario.ts';
import type { Settings } from '../settings.ts';
import { autoscaler } from './autoscaler.ts';
import { dnsAutomation } from './dns-automation.ts';
import { ingressAddress } from './ingress-address.ts';
import { nodePools } from './node-pools.ts';

/** A look at one thing before anything is touched. Severity `error` means that it is not as it must be. */
export interface Check {
  readonly name: string;
  /** A mandatory check that is not met stops the run (4.1, phase 1). */
  readonly mandatory: boolean;
  readonly look: (site: Site, settings: Settings) => Promise<Finding>;
}

/** Phase 1 of 4.1, in its order. */
export const checks: readonly Check[] = [ingressAddress, dnsAutomation, autoscaler, nodePools];

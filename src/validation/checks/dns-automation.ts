import type { Check } from './check.ts';
import { componentPods } from './component-pods.ts';

/** "The DNS-automation pods must be running, otherwise records are not updated." */
export const dnsAutomation: Check = {
  name: 'dns-automation',
  mandatory: true,
  look: (run) =>
    componentPods(
      run,
      {
        id: 'dns-automation',
        component: 'DNS automation',
        advice: 'start external-dns: without it records are not updated',
      },
      run.settings.dnsAutomation,
    ),
};

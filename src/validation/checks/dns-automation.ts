import { componentPods } from './component-pods.ts';
import type { Check } from './index.ts';

/** "The DNS-automation pods must be running, otherwise records are not updated." */
export const dnsAutomation: Check = {
  name: 'dns-automation',
  mandatory: true,
  look: (site, { dnsAutomation: place }) =>
    componentPods(
      site,
      {
        id: 'dns-automation',
        component: 'DNS automation',
        advice: 'start external-dns: without it records are not updated',
      },
      place,
    ),
};

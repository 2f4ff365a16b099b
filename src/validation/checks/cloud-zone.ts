import { undeletableRecord } from '../actions/delete-dns-record.ts';
import type { Check } from './check.ts';
import { cloudCheck } from './cloud-check.ts';

/** The zone of the settings belongs to this account, and the application's name is in it. */
export const cloudZone: Check = cloudCheck({
  name: 'cloud-zone',
  needs: 'zone',
  expected: 'the name of the application is in a public zone of this account',
  subject: ({ dns: { zone } }) => `zone ${zone}`,
  async look({ settings: { url, dns } }, cloud) {
    const { hostname } = new URL(url);
    const because = undeletableRecord(hostname, dns.zone);
    const advice = 'set dns.zone to the public zone that holds the name, and use the credentials of its account';
    if (because !== undefined) return { observed: because, advice };
    const zone = await cloud.zone(dns.zone);
    if (zone === undefined) return { observed: `this account has no public zone ${dns.zone}`, advice };
    return { observed: `${hostname} is in zone ${zone.name} (${zone.id})` };
  },
});

import * as z from 'zod';
import { duration } from './read-settings.ts';

/** The zone of an application's name: `dns` of the settings. */
export const dnsSchema = z.strictObject({
  zone: z.string().default('example.com'),
  ttl: duration.prefault('300s'),
  /**
   * The zone is changed by dynamic updates instead of Route 53: its primary server, and the file of the key that signs
   * them.
   */
  rfc2136: z.strictObject({ server: z.string().min(1), keyFile: z.string().min(1) }).exactOptional(),
});

import { z } from 'zod';
import type { Command } from '../host/host.ts';
import { Secret } from '../notification/secret.ts';
import { duration } from '../settings/read-settings.ts';
import { isBranchName } from './branch.ts';
import { type PresetName, presets } from './caches.ts';

const path = z.string().min(1);
const count = z.union([z.int().min(1), z.stringFormat('count', /^[1-9]\d*$/).transform(Number)], {
  error: ({ input }) => `is ${JSON.stringify(input)}, which is not a whole number of 1 or more`,
});
const httpUrl = z.string().refine((text) => isUrl(text, ['http:', 'https:']), {
  error: 'is not an http:// or https:// address',
});
/** The messages of secrets never repeat the value. */
const webhookUrl = z
  .string({ error: 'is not text' })
  .refine((text) => isUrl(text, ['https:']) || isLoopback(text), { error: 'is not an https:// address' })
  .transform((text) => new Secret(text));
const transport = z
  .string({ error: 'is not text' })
  .refine((text) => text === 'sendmail' || isUrl(text, ['smtp:', 'smtps:']), {
    error: "is neither 'sendmail' nor an smtp:// or smtps:// address",
  })
  .transform((text) => (text === 'sendmail' ? text : new Secret(text)));

/** A line break in an address or a subject would add a header to the mail (RFC 5322, section 2.2). */
const headerText = z
  .string()
  .min(1)
  .refine((text) => !hasControlCharacter(text), { error: 'holds a control character' });
const address = headerText.refine((text) => /^[^\s<>(),;:@-][^\s<>(),;:@]*@[^\s<>(),;:@-][^\s<>(),;:@]*$/.test(text), {
  error: ({ input }) => `is ${JSON.stringify(input)}, which is not a mail address`,
});

const stepSchema = z
  .strictObject({
    name: z.string().min(1).exactOptional(),
    command: z.array(z.string()).min(1),
  })
  .transform(({ name, command }) => ({
    name: name ?? command.join(' '),
    command: command as [string, ...string[]] satisfies Command,
  }));

/** One request decides, as the specification says; the settings loosen it. */
const healthSchema = z.strictObject({
  attempts: count.exactOptional(),
  deadline: duration.exactOptional(),
  consecutive: count.default(1),
  timeout: duration.prefault('10s'),
});

/** `deployment:` of holdfast.yaml (contract section 7). Durations become seconds. */
export const deploymentSchema = z.strictObject({
  appDir: path.exactOptional(),
  branch: z
    .string()
    .refine(isBranchName, {
      error: ({ input }) => `is ${JSON.stringify(input)}, which git accepts as no branch's name`,
    })
    .exactOptional(),
  logFile: path.exactOptional(),
  healthUrl: httpUrl.exactOptional(),
  health: healthSchema.prefault({}),
  variant: z.enum(['basic', 'full', 'notify']).exactOptional(),
  preset: z.enum(Object.keys(presets) as [PresetName, ...PresetName[]]).default('laravel'),
  caches: z
    .strictObject({ clear: z.array(stepSchema).exactOptional(), rebuild: z.array(stepSchema).exactOptional() })
    .exactOptional(),
  /** Added to what the commands inherit. */
  environment: z.record(z.string(), z.string()).default({}),
  /** For each command. Deployer's default. */
  commandTimeout: duration.prefault('300s'),
  ifChanged: z.boolean().default(false),
  again: z.boolean().default(false),
  slackWebhookUrl: webhookUrl.exactOptional(),
  mail: z
    .strictObject({
      to: address,
      from: address,
      subject: headerText.default('Deployment'),
      transport: transport.prefault('sendmail'),
    })
    .exactOptional(),
});

function isUrl(text: string, protocols: readonly string[]): boolean {
  return protocols.includes(URL.parse(text)?.protocol ?? '');
}

/** What stays on this machine needs no encryption. */
function isLoopback(text: string): boolean {
  return isUrl(text, ['http:']) && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(text).hostname);
}

function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

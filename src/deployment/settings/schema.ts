import * as z from 'zod';
import {
  type ChannelKey,
  type ChannelKinds,
  type ChannelSettings,
  channelKeys,
  channels,
} from '../../notification/notifiers.ts';
import { Secret } from '../../notification/secret.ts';
import { duration } from '../../settings/read-settings.ts';
import { command, count, healthSchema, httpUrl, monitorSchema } from './health-schema.ts';
import { type PresetName, presets } from './presets.ts';
import { serversSchema } from './servers.ts';
import { nameOfCommand } from './step-names.ts';
import type { Step } from './steps.ts';
import { type TaskName, taskNames } from './tasks.ts';
import { hasControlCharacter, isAddress, isLoopback, isProgram, isUrl } from './text-forms.ts';

/** Messages about a secret never repeat its value. */
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
const address = headerText.refine((text) => isAddress(text), {
  error: ({ input }) => `is ${JSON.stringify(input)}, which is not a mail address`,
});
const addresses = headerText.refine((text) => text.split(',').every((part) => isAddress(part.trim())), {
  error: ({ input }) => `is ${JSON.stringify(input)}, which is not a mail address, nor several with commas between`,
});

const mailOf = (subject: string) =>
  z.strictObject({
    to: addresses,
    from: address,
    subject: headerText.default(subject),
    transport: transport.prefault('sendmail'),
  });

/** How each kind of notification channel is set. */
const settingSchemas = (subject: string) =>
  ({ webhook: webhookUrl, mail: mailOf(subject) }) satisfies {
    readonly [Kind in keyof ChannelSettings]: z.ZodType<ChannelSettings[Kind]>;
  };
type ChannelSchema<Kind extends keyof ChannelSettings> = z.ZodExactOptional<ReturnType<typeof settingSchemas>[Kind]>;

const path = z.string().min(1);
const stepSchema = z
  .strictObject({
    name: z
      .string()
      .min(1, { error: 'is empty' })
      .refine((text) => text === '' || text.trim() !== '', { error: 'is empty' })
      .refine((text) => !hasControlCharacter(text), { error: 'holds a control character' })
      .exactOptional(),
    command,
    environment: z.record(z.string(), z.string()).exactOptional(),
    timeout: duration.exactOptional(),
    onFailure: z.enum(['fail', 'warn']).exactOptional(),
    leaves: z.union([z.strictObject({ absent: path }), z.strictObject({ present: path })]).exactOptional(),
    whenChanged: z.array(path).min(1).exactOptional(),
    on: z.enum(['deploy', 'rollback']).exactOptional(),
  })
  .transform(({ name, ...step }): Step => ({ ...step, name: name ?? nameOfCommand(step.command) }));

/** Where releases are, and what they share. */
const releasesSchema = z.strictObject({
  /** From the checkout's top, or from the root where it does not lie in the checkout. */
  folder: path.transform(withoutEndSlash).prefault('releases'),
  /** How many good releases are kept, the live one among them. Capistrano's default. */
  keep: count.default(5),
  /** Files and folders of the checkout's top that every release links to; the preset's without it. */
  shared: z.array(path.refine(isBelowTheTop, { error: 'is not a path below the top of the checkout' })).exactOptional(),
});

/** `deployment:` of holdfast.yaml (docs/contract.md, "holdfast.yaml"). Durations become seconds. */
export const deploymentSchema = z.strictObject({
  appDir: path.exactOptional(),
  branch: z
    .string()
    .refine(isBranchName, {
      error: ({ input }) => `is ${JSON.stringify(input)}, which git accepts as no branch's name`,
    })
    .exactOptional(),
  logFile: path.exactOptional(),
  /**
   * Where the application is in its repository, from the checkout's top: its commands run there, and its paths are from
   * there.
   */
  subfolder: path
    .transform(withoutEndSlash)
    .refine(isBelowTheTop, { error: 'is not a path below the top of the checkout' })
    .exactOptional(),
  /** Where the checkout comes from when there is none yet. */
  cloneUrl: z
    .string({ error: 'is not text' })
    .min(1)
    .refine((text) => !text.startsWith('-') && !hasControlCharacter(text), {
      error: 'is not the address of a repository',
    })
    .transform((text) => new Secret(text))
    .exactOptional(),
  healthUrl: httpUrl.exactOptional(),
  health: healthSchema.prefault({}),
  /** `in-place`: the checkout itself becomes the commit. `releases`: a new folder beside the others does. */
  mode: z.enum(['in-place', 'releases']).default('in-place'),
  releases: releasesSchema.prefault({}),
  variant: z.enum(['basic', 'full', 'notify']).exactOptional(),
  preset: z.enum(Object.keys(presets) as [PresetName, ...PresetName[]]).default('laravel'),
  /** The program that runs PHP, where `php` of the PATH is another version. */
  php: z.string().refine(isProgram, { error: 'is not a program' }).default('php'),
  caches: z
    .strictObject({ clear: z.array(stepSchema).exactOptional(), rebuild: z.array(stepSchema).exactOptional() })
    .exactOptional(),
  /** Logs of the application: their ends are kept when a commit fails. The preset's where absent. */
  logs: z.array(path).exactOptional(),
  ...switches(),
  /** Steps before and after the caches, in a deploy and in a rollback. */
  steps: z
    .strictObject({ before: z.array(stepSchema).default([]), after: z.array(stepSchema).default([]) })
    .prefault({}),
  /**
   * The optional pre-step of 4.3. `ownership` is a command that gives files back to the user of the deploy; it gets
   * their names on standard input.
   */
  clean: z.strictObject({ enabled: z.boolean().default(false), ownership: command.exactOptional() }).prefault({}),
  /** Where an archive is made before the switch; the commands that stop and start services around a restore. */
  backup: z
    .strictObject({
      dir: path.exactOptional(),
      /** Whether the application's database is dumped before a deploy changes anything. */
      database: z.boolean().default(false),
      stop: z.array(command).default([]),
      start: z.array(command).default([]),
    })
    .prefault({}),
  /**
   * Whether visitors get 503 while the checkout changes: by the preset's own way, or by a file that the web server
   * looks for.
   */
  maintenance: z
    .union([z.boolean(), z.strictObject({ file: path.exactOptional(), retryAfter: duration.prefault('60s') })])
    .default(false),
  monitor: monitorSchema.prefault({}),
  /** How php-fpm is made to run the new code; found out where none is given. */
  opcache: z
    .strictObject({
      fastcgi: z.string().min(1).exactOptional(),
      reload: command.exactOptional(),
      wait: duration.exactOptional(),
    })
    .prefault({}),
  /** Added to the environment of commands. */
  environment: z.record(z.string(), z.string()).default({}),
  /** Limit of each command. Deployer's default. */
  commandTimeout: duration.prefault('300s'),
  /** What to do with edits on the server and files in the way: keep a copy and discard them, or refuse the deploy. */
  localEdits: z.enum(['discard', 'refuse']).default('discard'),
  /** How `--host` and `--hosts` reach servers. */
  servers: serversSchema.prefault({}),
  ifChanged: z.boolean().default(false),
  again: z.boolean().default(false),
  /** What is deployed instead of the branch's newest commit: an id, or a tag. */
  commit: z.string().refine(isBranchName, { error: 'is neither the id of a commit nor a tag' }).exactOptional(),
  /** Why this run is started, for the history and the notifications. */
  message: z
    .string({ error: 'is not text' })
    .trim()
    .min(1)
    .max(500)
    .refine((text) => !hasControlCharacter(text), { error: 'holds a control character' })
    .exactOptional(),
  ...channelSchemas('Deployment'),
});

/** A word for each task of the preset. */
function switches() {
  const off = z.boolean().default(false);
  return Object.fromEntries(taskNames.map((name) => [name, off])) as Readonly<Record<TaskName, typeof off>>;
}

/** The setting of every channel of the notification, under its key. */
function channelSchemas(subject: string): { readonly [Key in ChannelKey]: ChannelSchema<ChannelKinds[Key]> } {
  const schemas = settingSchemas(subject);
  const entries = channelKeys.map((key) => [key, schemas[channels[key].kind].exactOptional()]);
  return Object.fromEntries(entries);
}

/** The key `monitor` of the settings file: who gets messages about outages, and after how many bad samples in a row. */
export const monitorNotifiers = z.strictObject({
  alertAfter: count.default(3),
  notifiers: z.strictObject(channelSchemas('Downtime')).exactOptional(),
});

/** Whether a path lies below the top of the checkout, and not in `.git`. */
function isBelowTheTop(text: string): boolean {
  const parts = text.split('/');
  return parts[0] !== '.git' && parts.every((part) => part !== '' && part !== '.' && part !== '..');
}

/** Without slashes at the end, except for the root itself. */
function withoutEndSlash(text: string): string {
  return text.replace(/(?<=[^/])\/+$/, '');
}

/**
 * Whether git accepts it as a branch's name: the rules of git-check-ref-format(1) for `refs/heads/<branch>`, and no
 * leading dash.
 */
export function isBranchName(name: string): boolean {
  return (
    name !== '' &&
    !name.startsWith('-') &&
    !name.endsWith('.') &&
    !forbidden.test(name) &&
    name.split('/').every(isPart)
  );
}

/** A control character, a space, one of `~ ^ : ? * [ \`, two dots, or `@{`. */
const forbidden = /[\p{Cc} ~^:?*[\\]|\.\.|@\{/u;

function isPart(part: string): boolean {
  return part !== '' && !part.startsWith('.') && !part.endsWith('.lock');
}

import type { Transporter } from 'nodemailer';
import { trustSystemAuthorities } from '../host/authorities.ts';
import { OperationError } from '../host/errors.ts';
import type { Host } from '../host/host.ts';
import { type Message, type Notifier, totalSeconds } from './notifier.ts';
import type { Secret } from './secret.ts';

/** TO_EMAIL, FROM_EMAIL, the MAIL_SUBJECT of all messages, and how mail is sent. */
export interface MailSettings {
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  /** `sendmail`, or `smtp://user:password@host:587`, `smtps://…`. */
  readonly transport: 'sendmail' | Secret;
}

/**
 * Mail in plain text with the constant subject. The headers are built by nodemailer, which is loaded at the first
 * message.
 */
export function mailNotifier(
  host: Pick<Host, 'run'>,
  settings: MailSettings,
  environment: Readonly<Record<string, string>>,
): Notifier {
  return {
    channel: 'mail',
    send: async (message) => {
      const mail = mailOf(settings, message);
      if (settings.transport === 'sendmail') await sendByCommand(host, settings, environment, mail);
      else
        await overSmtp('Sending mail by', new URL(settings.transport.reveal()), (transport) =>
          transport.sendMail(mail),
        );
    },
    reach: () =>
      settings.transport === 'sendmail'
        ? findSendmail(host, environment)
        : overSmtp('Reaching', new URL(settings.transport.reveal()), (transport) => transport.verify()),
  };
}

type Mail = ReturnType<typeof mailOf>;

/**
 * No text of the message is put into a header: the subject is constant. Auto-Submitted prevents automatic replies (RFC
 * 3834).
 */
function mailOf({ to, from, subject }: MailSettings, { text, details }: Message) {
  const lines = details.map(({ name, value }) => `${name}: ${value}`);
  const body = [text, ...(lines.length === 0 ? [] : ['', ...lines])].join('\n');
  return { to, from, subject, text: `${body}\n`, headers: { 'Auto-Submitted': 'auto-generated' } };
}

/** `-i`: a line with a single dot does not end the message. The exit codes are those of sysexits.h. */
async function sendByCommand(
  host: Pick<Host, 'run'>,
  { from, to }: MailSettings,
  environment: Readonly<Record<string, string>>,
  mail: Mail,
): Promise<void> {
  const recipients = to.split(',').map((address) => address.trim());
  const command = ['sendmail', '-i', '-f', from, '--', ...recipients] as const;
  const result = await host.run(command, {
    env: withSendmail(environment),
    stdin: await composed(mail),
    timeoutSeconds: totalSeconds,
  });
  if (result.exitCode === 0) return;
  const said = result.stderr.trim().split('\n').at(-1) ?? '';
  const reason = `exit code ${result.exitCode}${said === '' ? '' : `, ${said}`}`;
  throw new OperationError({ tried: 'Sending mail with', on: 'sendmail', reason });
}

async function findSendmail(host: Pick<Host, 'run'>, environment: Readonly<Record<string, string>>): Promise<void> {
  const options = { env: withSendmail(environment), timeoutSeconds: totalSeconds };
  const { exitCode } = await host.run(['sh', '-c', 'command -v sendmail'], options);
  if (exitCode === 0) return;
  throw new OperationError({ tried: 'Finding', on: 'sendmail', reason: 'it is not on this machine' });
}

/** It is a program of the system's, not of its users. */
function withSendmail(environment: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return { ...environment, PATH: `${environment.PATH ?? ''}:/usr/sbin:/usr/lib` };
}

async function composed(mail: Mail): Promise<string> {
  const { createTransport } = await import('./smtp-client.ts');
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  const { message } = await transport.sendMail(mail);
  return String(message);
}

/** A password is sent only over TLS with a valid certificate, unless the server is this machine. */
async function overSmtp(tried: string, url: URL, work: (transport: Transporter) => Promise<unknown>): Promise<void> {
  await trustSystemAuthorities();
  const { createTransport } = await import('./smtp-client.ts');
  const [user, pass] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  const secure = url.protocol === 'smtps:';
  const isHere = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  const transport = createTransport({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    requireTLS: !secure && user !== '' && !isHere,
    ...(user === '' ? {} : { auth: { user, pass } }),
    connectionTimeout: connectSeconds * 1000,
    greetingTimeout: greetingSeconds * 1000,
    socketTimeout: totalSeconds * 1000,
  });
  try {
    await work(transport);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new OperationError({ tried, on: url.host, reason }, { cause });
  } finally {
    transport.close();
  }
}

/**
 * A server accepts connections at once, but some delay their greeting on purpose (RFC 5321, section 4.5.3.2 allows
 * minutes).
 */
const connectSeconds = 5;
const greetingSeconds = 10;

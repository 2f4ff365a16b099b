import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly data: string;
}

/** A small mail server that speaks SMTP (RFC 5321) on loopback; `refuse` answers every recipient with 550. */
export async function smtpServer(
  t: TestContext,
  { refuse = false } = {},
): Promise<{ readonly port: number; readonly mails: readonly ReceivedMail[] }> {
  const mails: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    converse(socket, mails, refuse);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, mails };
}

function converse(socket: Socket, mails: ReceivedMail[], refuse: boolean): void {
  let [from, data, inData] = ['', '', false];
  let to: string[] = [];
  const say = (line: string) => socket.write(`${line}\r\n`);
  const answers: Readonly<Record<string, (words: string) => void>> = {
    EHLO: () => say('250 mail.example'),
    HELO: () => say('250 mail.example'),
    MAIL: (words) => {
      from = /<(.*?)>/.exec(words)?.[1] ?? '';
      say('250 ok');
    },
    RCPT: (words) => {
      if (refuse) return say('550 5.1.1 nobody here by that name');
      to.push(/<(.*?)>/.exec(words)?.[1] ?? '');
      say('250 ok');
    },
    DATA: () => {
      inData = true;
      say('354 go on');
    },
    QUIT: () => {
      say('221 bye');
      socket.end();
    },
  };
  const line = (text: string): void => {
    if (!inData) {
      const answer = answers[text.slice(0, 4).toUpperCase()] ?? (() => say('250 ok'));
      answer(text);
      return;
    }
    if (text !== '.') {
      data += `${text.replace(/^\./, '')}\n`;
      return;
    }
    mails.push({ from, to, data });
    [from, data, inData, to] = ['', '', false, []];
    say('250 taken');
  };
  let rest = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\r\n');
    rest = lines.pop() ?? '';
    lines.forEach(line);
  });
  socket.on('error', () => {});
  say('220 mail.example ESMTP');
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { temporaryFolder } from './temporary-folder.ts';

/** Debian's Chromium, headless, controlled by the Chrome DevTools Protocol. */
export interface Browser {
  readonly open: (url: string, screen?: Screen) => Promise<Tab>;
}
export interface Screen {
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
  readonly reducedMotion?: boolean;
  /** 2 is what somebody sees who has zoomed to 200 %: half as wide, and twice as fine. */
  readonly zoom?: number;
  /** By how much the browser's wall clock is fast. */
  readonly fastBySeconds?: number;
}
export interface Tab {
  /** The value of an expression in the page, as JSON; a promise is awaited. */
  readonly value: <T>(expression: string) => Promise<T>;
  /** Waits until the expression is true, at most a minute. */
  readonly until: (expression: string) => Promise<void>;
  readonly press: (key: string) => Promise<void>;
  /** The addresses that were asked for. */
  readonly requests: readonly string[];
  /** Exceptions, messages of level error, and violations of the page's content security policy. */
  readonly troubles: readonly string[];
  /** Shows it again after another one was opened. */
  readonly show: () => Promise<void>;
  /** Ends its streams too: a browser has no more than six connections to a server. */
  readonly close: () => Promise<void>;
  /** The whole page, as PNG in base64. */
  readonly picture: () => Promise<string>;
}

const mostSeconds = 60;

/** Ends with the test. */
export async function startBrowser(t: Pick<TestContext, 'after'>): Promise<Browser> {
  const folder = temporaryFolder(t);
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'];
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-extensions'];
  const browser = spawn(
    'chromium',
    [...flags, ...quiet, '--remote-debugging-port=0', `--user-data-dir=${folder}`, 'about:blank'],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  browser.stderr.resume();
  t.after(() => ended(browser));
  const portFile = `${folder}/DevToolsActivePort`;
  await within(() => existsSync(portFile) && readFileSync(portFile, 'utf8').includes('\n'));
  const [port, path] = readFileSync(portFile, 'utf8').split('\n');
  const protocol = await connect(`ws://127.0.0.1:${port}${path}`);
  t.after(protocol.close);
  return { open: (url, screen = {}) => openTab(protocol, url, screen) };
}

/** Ends its child processes too, which hold its standard error and write into its folder. */
async function ended(browser: ChildProcess): Promise<void> {
  if (browser.exitCode !== null) return;
  browser.kill('SIGKILL');
  await once(browser, 'close');
}

async function within(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const endsAt = Date.now() + mostSeconds * 1000;
  while (!(await isSo())) {
    if (Date.now() > endsAt) throw new Error(`not so within ${mostSeconds} s: ${isSo}`);
    await pause(50);
  }
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly sessionId?: string;
  // biome-ignore lint/suspicious/noExplicitAny: the protocol's own shapes, of which a test reads a member or two.
  readonly params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly result?: any;
  readonly error?: { readonly message: string };
}

async function connect(url: string) {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  const answers = new Map<number, PromiseWithResolvers<Message>>();
  const listeners: ((message: Message) => void)[] = [];
  let last = 0;
  socket.addEventListener('message', ({ data }) => {
    const message: Message = JSON.parse(String(data));
    if (message.id === undefined) for (const listener of listeners) listener(message);
    else answers.get(message.id)?.resolve(message);
  });
  return {
    hear: (listener: (message: Message) => void) => listeners.push(listener),
    close: () => socket.close(),
    async call(method: string, params: object = {}, sessionId?: string) {
      const id = ++last;
      const answer = Promise.withResolvers<Message>();
      answers.set(id, answer);
      socket.send(JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) }));
      const { result, error } = await answer.promise;
      if (error !== undefined) throw new Error(`${method}: ${error.message}`);
      return result;
    },
  };
}

async function openTab(protocol: Awaited<ReturnType<typeof connect>>, url: string, screen: Screen): Promise<Tab> {
  const { targetId } = await protocol.call('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await protocol.call('Target.attachToTarget', { targetId, flatten: true });
  const call = (method: string, params: object = {}) => protocol.call(method, params, sessionId);
  const troubles: string[] = [];
  const requests: string[] = [];
  protocol.hear((message) => {
    if (message.sessionId !== sessionId) return;
    troubles.push(...troubleIn(message));
    if (message.method === 'Network.requestWillBeSent') requests.push(message.params.request.url);
  });
  const value = async <T>(expression: string): Promise<T> => {
    const { result, exceptionDetails } = await call('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
    });
    if (exceptionDetails !== undefined) throw new Error(`${expression}: ${exceptionDetails.exception?.description}`);
    return result.value;
  };
  for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await call(`${domain}.enable`);
  await call('Emulation.setEmulatedMedia', { features: mediaOf(screen) });
  const { width = 1280, height = 900, fastBySeconds = 0, zoom = 1 } = screen;
  const source = `{ const now = Date.now; Date.now = () => now() + ${fastBySeconds * 1000}; }`;
  await call('Page.addScriptToEvaluateOnNewDocument', { source });
  await call('Emulation.setDeviceMetricsOverride', {
    width: Math.round(width / zoom),
    height: Math.round(height / zoom),
    deviceScaleFactor: zoom,
    mobile: width < 600,
  });
  await call('Page.navigate', { url });
  await within(() => value<boolean>(`location.href !== 'about:blank' && document.readyState === 'complete'`));
  return {
    value,
    until: (expression) => within(() => value<boolean>(`Boolean(${expression})`)),
    async press(key) {
      for (const type of ['keyDown', 'keyUp'])
        await call('Input.dispatchKeyEvent', { type, key, code: key === ' ' ? 'Space' : key, ...codes[key] });
    },
    troubles,
    requests,
    show: () => call('Page.bringToFront'),
    close: async () => void (await protocol.call('Target.closeTarget', { targetId })),
    async picture() {
      // Without it the picture is as high as the page was before something of it was removed.
      const clip = await value<object>(
        '({ x: 0, y: 0, scale: 1, width: innerWidth, height: Math.ceil(document.body.getBoundingClientRect().bottom) })',
      );
      return (await call('Page.captureScreenshot', { captureBeyondViewport: true, clip })).data;
    },
  };
}

const codes: Readonly<Record<string, object>> = {
  ' ': { windowsVirtualKeyCode: 32 },
  Tab: { windowsVirtualKeyCode: 9 },
  Enter: { windowsVirtualKeyCode: 13, text: '\r' },
  ArrowLeft: { windowsVirtualKeyCode: 37 },
  ArrowDown: { windowsVirtualKeyCode: 40 },
  Home: { windowsVirtualKeyCode: 36 },
  End: { windowsVirtualKeyCode: 35 },
};

function troubleIn({ method, params }: Message): readonly string[] {
  if (method === 'Runtime.exceptionThrown') return [params.exceptionDetails.exception?.description ?? 'an exception'];
  if (method === 'Log.entryAdded' && params.entry.level === 'error')
    return [`${params.entry.text} ${params.entry.url}`];
  if (method === 'Runtime.consoleAPICalled' && params.type === 'error') return [JSON.stringify(params.args)];
  return [];
}

const mediaOf = ({ dark = false, reducedMotion = false }: Screen) => [
  { name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' },
  { name: 'prefers-reduced-motion', value: reducedMotion ? 'reduce' : 'no-preference' },
];

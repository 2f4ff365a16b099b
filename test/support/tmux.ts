import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import { setTimeout as breathe } from 'node:timers/promises';

/** A real terminal: a window of tmux that runs one shell command. */
export interface Tmux {
  /** What is on the screen, without empty lines at its end; with `colours` the escape sequences too. */
  screen(options?: { readonly colours?: boolean }): string;
  /** All that was ever on the screen and was not overwritten. */
  whole(): string;
  /** Lines that the terminal itself had to break because they were too wide. */
  broken(): readonly string[];
  resize(columns: number): void;
  /** Waits until the screen shows this. */
  until(shown: RegExp): string;
  /** The same, while servers of this process answer. */
  eventually(shown: RegExp): Promise<string>;
}

/** Looks at the screen so often before it gives up; a look takes some 10 ms. */
const mostLooks = 6000;

export function tmux(
  t: Pick<TestContext, 'after'>,
  columns: number,
  command: string,
  env: Record<string, string>,
  rows = 50,
): Tmux {
  const socket = `holdfast-${randomUUID()}`;
  const run = (...words: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync('tmux', ['-L', socket, '-f', '/dev/null', ...words], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH ?? '', LC_ALL: 'C.UTF-8', TERM: 'xterm-256color' },
    });
    if (status !== 0) throw new Error(`tmux ${words.join(' ')}: ${stderr}`);
    return stdout;
  };
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const line = `env ${variables.join(' ')} ${command}; echo EXIT $?; read _`;
  run('new-session', '-d', '-x', String(columns), '-y', String(rows), '-s', 'a', line);
  t.after(() => void run('kill-server'));
  const capture = (...words: readonly string[]): string => run('capture-pane', '-p', '-t', 'a', ...words).trimEnd();
  const lines = (text: string): readonly string[] => text.split('\n').map((each) => each.trimEnd());
  return {
    screen: ({ colours = false } = {}) => capture(...(colours ? ['-e'] : [])),
    whole: () => capture('-S', '-'),
    broken() {
      const whole = new Set(lines(capture('-S', '-')));
      return lines(capture('-S', '-', '-J')).filter((joined) => !whole.has(joined));
    },
    resize: (to) => void run('resize-window', '-t', 'a', '-x', String(to)),
    until(shown) {
      for (let look = 0; look < mostLooks; look++) {
        const screen = capture();
        if (shown.test(screen)) return screen;
      }
      throw new Error(`the screen never showed ${shown}:\n${capture('-S', '-')}`);
    },
    async eventually(shown) {
      for (let look = 0; look < mostLooks; look++) {
        const screen = capture();
        if (shown.test(screen)) return screen;
        await breathe(30);
      }
      throw new Error(`the screen never showed ${shown}:\n${capture('-S', '-')}`);
    },
  };
}

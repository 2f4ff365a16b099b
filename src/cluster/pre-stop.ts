import type { Container } from './specs.ts';

const secondsOfUnit: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600 };
/** It stands alone between separators; one in the background (`&`) is not waited for. */
const sleeps = /(?:^|&&|;|\n)\s*(?:exec\s+)?(?:\/\S+\/)?sleep\s+(\d+(?:\.\d+)?)([smh]?)\s*(?=$|&&|;|\n|\|\|)/g;
/** The program ends by these, and the hook with it. */
const ends = /nginx\s+-s\s+(quit|stop)|\bkill\s+(-\S+\s+)?1\b/;

/**
 * Seconds that the container's preStop hook waits, as far as its manifest says: its `sleep`, or the sleeps of its
 * command before the program is told to end; 0 without any, and where the image has no program but its own.
 */
export function preStopOf(container: Pick<Container, 'lifecycle' | 'image'>): number {
  const { sleep, exec } = container.lifecycle?.preStop ?? {};
  if (sleep !== undefined) return sleep.seconds;
  if (exec === undefined || hookFails(container)) return 0;
  // The API takes a hook without a command.
  const { command = [] } = exec as { readonly command?: readonly string[] };
  const script = command.length > 2 && command[1]?.startsWith('-') ? command.slice(2).join(' ') : command.join(' ');
  const [before = ''] = script.split(ends);
  return [...before.matchAll(sleeps)].reduce(
    (sum, [, seconds, unit = '']) => sum + Number(seconds) * (secondsOfUnit[unit] ?? 1),
    0,
  );
}

/** Whether the hook calls a shell or a program of one in an image that is known to have neither. */
export function hookFails({ lifecycle, image }: Pick<Container, 'lifecycle' | 'image'>): boolean {
  const [program = ''] = lifecycle?.preStop?.exec?.command ?? [];
  const hasOne = !/(^|[/-])(distroless|scratch|chainguard)([/-]|$|:)/.test(image) || /:[^:]*debug/.test(image);
  return !hasOne && /(^|\/)((ba|da|a)?sh|sleep)$/.test(program);
}

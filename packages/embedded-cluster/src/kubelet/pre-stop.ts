import type { Container } from '../kubernetes/specs.ts';
import { programRun } from './command-run.ts';

/** How long a preStop hook takes; `isKnown`: whether the manifest says so, else what it does not say takes no time. */
export interface Hook {
  readonly seconds: number;
  readonly isKnown: boolean;
}

const none: Hook = { seconds: 0, isKnown: true };
/**
 * The start of a hook's process, until ingress-nginx's `/wait-shutdown` has sent SIGTERM: its listeners close 0.3 s
 * after the deletion.
 */
const hookStartSeconds = 0.2;

/** The preStop hook of a container as the kubelet runs it: no shell but the one that its command names. */
export function preStopHook({ lifecycle, image }: Pick<Container, 'lifecycle' | 'image'>): Hook {
  const hook = lifecycle?.preStop;
  if (hook?.sleep !== undefined) return { ...none, seconds: hook.sleep.seconds };
  if (hook?.exec === undefined) return { ...none, isKnown: hook === undefined };
  return commandHook(hook.exec.command, image);
}

function commandHook(command: readonly string[], image: string): Hook {
  const [program = '', option = '', script = ''] = command;
  if (command.join(' ') === '/wait-shutdown') return { ...none, seconds: hookStartSeconds };
  if (hasNoPrograms(image) && commonPrograms.test(program)) return none;
  if (shells.test(program) && /^-[a-z]*c$/.test(option)) return scriptHook(script);
  const run = programRun(command);
  return run === undefined ? { ...none, isKnown: false } : { ...none, seconds: run.seconds };
}

const shells = /^(\S*\/)?(ba|da|a)?sh$/;
const commonPrograms = /^(\/(usr\/)?bin\/)?((ba|da|a)?sh|sleep|echo|true|kill|cat)$/;

/** Images that hold one program and nothing else, without a shell: a hook that calls one fails at once. */
const hasNoPrograms = (image: string): boolean =>
  /(^|[/-])(distroless|scratch|chainguard)([/-]|$|:)/.test(image) && !/:[^:]*debug/.test(image);

/** Programs that make the container's main process end: the hook does not outlive it. */
const quitter =
  /^(\S*\/)?(nginx\s+-s\s+(quit|stop)|(apachectl|apache2ctl|httpd)\s.*stop|kill\s.*\b1|pkill\s|killall\s)/;

/** Commands one after the other. One in the background is not waited for; one after `||` only follows a failure. */
function scriptHook(script: string): Hook {
  const parts = script.split(/(&&|\|\||;|\n|&)/);
  let hook = none;
  for (let at = 0; at < parts.length; at += 2) {
    const command = (parts[at] ?? '').trim().replace(/^exec\s+/, '');
    if (command === '' || parts[at + 1] === '&' || parts[at - 1] === '||') continue;
    if (quitter.test(command) || command.startsWith('exit')) return hook;
    const run = programRun(command.split(/\s+/));
    hook = run === undefined ? { ...hook, isKnown: false } : { ...hook, seconds: hook.seconds + run.seconds };
  }
  return hook;
}

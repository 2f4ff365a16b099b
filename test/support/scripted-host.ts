import type { TestContext } from 'node:test';
import type { VirtualClock } from '@holdfast/embedded-cluster';
import { randomStreams } from '../../packages/embedded-cluster/src/outside/random.ts';
import { virtualClock } from '../../packages/embedded-cluster/src/time/clock.ts';
import { nodeFiles } from '../../src/host/files.ts';
import type { ConnectionUse, Files, Host, Sample, Target } from '../../src/host/host.ts';

/** The answer of a target to a request that starts at that time (epoch milliseconds). */
export type Script = (
  at: number,
  target: Target,
  connection: ConnectionUse,
) => Pick<Sample, 'status' | 'seconds'> & Partial<Sample>;

export interface ScriptedHost extends Pick<Host, 'clock' | 'random' | 'files' | 'probe'> {
  readonly clock: VirtualClock;
}

export const TEN = Date.parse('2026-11-20T10:00:00.000Z');

/** A host in virtual time, whose targets follow a script and whose files are real. */
export function scriptedHost(t: Pick<TestContext, 'after'>, script: Script, seed = '1'): ScriptedHost {
  const clock = virtualClock(TEN);
  t.after(() => clock.close());
  return {
    clock,
    random: randomStreams(seed),
    files: heldFiles(clock),
    probe: async (target, connection) => {
      const at = clock.wallAt();
      const answer = script(at, target, connection);
      await clock.sleep(answer.seconds);
      return { at, connection, phases: {}, ...answer };
    },
  };
}

/** The settings of a monitor. */
function heldFiles(clock: VirtualClock): Files {
  const files = nodeFiles();
  return {
    ...files,
    chunks: async function* (path, fromByte) {
      yield* await clock.hold('read', () =>
        Array.fromAsync(files.chunks(path, fromByte), (chunk) => Buffer.from(chunk)),
      );
    },
    stat: (path) => clock.hold('stat', () => files.stat(path)),
    realPath: (path) => clock.hold('real path', () => files.realPath(path)),
    append: async (path, options) => {
      const appender = await clock.hold('open', () => files.append(path, { ...options, synchronous: true }));
      return {
        write: (text) => appender.write(text),
        sync: () => appender.sync(),
        close: () => clock.hold('close', () => appender.close()),
      };
    },
  };
}

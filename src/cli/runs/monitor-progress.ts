import type { OnProbe } from '../../validation/monitor/monitor-settings.ts';
import type { Context } from '../command/context.ts';
import { hangingIndent } from '../command/hanging-indent.ts';
import type { Paint } from '../command/text.ts';
import { elapsed } from '../terminal/elapsed.ts';
import { liveDowntime } from '../terminal/live-downtime.ts';
import { openScreen } from '../terminal/open-screen.ts';
import { probeStrip, stripLine } from '../terminal/probe-strip.ts';
import { downtimeLines } from './run-frame.ts';
import { targetsFrame } from './targets-frame.ts';

/** The live region of the downtime monitor. */
export interface MonitorProgress {
  /** The context of the command: what it says leaves the live region whole. */
  readonly context: Context;
  readonly onProbe: OnProbe;
  readonly end: () => void;
}

interface Probing {
  readonly targets: readonly [{ readonly url: string }, ...{ readonly url: string }[]];
  readonly intervalSeconds: number;
  readonly timeoutSeconds: number;
}

/**
 * Shows how many probes have ended; of a single target the last of them and its downtime so far, of several a line
 * each, the worst first.
 */
export function monitorProgress(context: Context, settings: Probing): MonitorProgress {
  return settings.targets.length === 1 ? ofOne(context, settings) : ofSeveral(context, settings);
}

function ofSeveral(context: Context, settings: Probing): MonitorProgress {
  const { clock } = context.host;
  const startedAt = clock.wallAt();
  const targets = targetsFrame(
    settings.targets.map(({ url }) => url),
    settings,
  );
  let probes = 0;
  const screen = openScreen(context, (columns, paint) => [
    paint.strong(`${settings.targets.length} targets, for ${elapsed(clock.wallAt() - startedAt)}: ${probes} probes`),
    ...targets.lines(clock.wallAt(), columns, paint),
  ]);
  return {
    context: { ...context, host: screen.host },
    onProbe({ at, connection }, { url }, kind) {
      probes += 1;
      if (connection === 'reused') return;
      targets.take(url, at, kind);
      screen.touch();
    },
    end: screen.end,
  };
}

function ofOne(context: Context, settings: Probing): MonitorProgress {
  const { clock } = context.host;
  const startedAt = clock.wallAt();
  const strip = probeStrip(settings.intervalSeconds);
  const downtime = liveDowntime(settings.intervalSeconds, settings.timeoutSeconds);
  const [{ url }] = settings.targets;
  let probes = 0;
  const frame = (columns: number, paint: Paint): readonly string[] => {
    const fit = (head: string, text: string) => hangingIndent({ columns, isBroken: true }, head, text, 2).split('\n');
    const since = elapsed(clock.wallAt() - startedAt);
    return [
      ...fit('', `${url}, for ${since}: ${probes} ${probes === 1 ? 'probe' : 'probes'}`).map(paint.strong),
      ...stripLine(strip, columns, paint),
      ...downtimeLines(downtime, paint, fit),
    ];
  };
  const screen = openScreen(context, frame);
  return {
    context: { ...context, host: screen.host },
    onProbe({ at, connection }, _target, kind) {
      probes += 1;
      if (connection === 'reused') return;
      strip.take(at, kind === undefined ? 'good' : kind === 'slow' ? 'slow' : 'bad');
      downtime.take({ at, ...(kind === undefined ? {} : { kind }) });
      screen.touch();
    },
    end: screen.end,
  };
}

import type { CommandEntry } from './command.ts';

/** Area A's commands (contract section 1). */
export const validationCommands: readonly CommandEntry[] = [
  {
    name: 'rehearse',
    summary: 'the whole procedure on the embedded cluster, in virtual time',
    options: [
      { flags: '--seed <n>', summary: 'the same seed gives the same run (default 1)' },
      { flags: '--scenario <name...>', summary: 'only these scenarios' },
      { flags: '--defect <name...>', summary: 'make the embedded cluster bad in these ways' },
      { flags: '--manifests <profile>', summary: 'hardened (default) or plain' },
      { flags: '--nodes <n>', summary: 'more nodes, with other tenants’ pods' },
      { flags: '--out <dir>', summary: 'the run folder (default runs/<utc-time>-rehearsal)' },
    ],
    load: async () => (await import('./commands/rehearse.ts')).rehearse,
  },
  {
    name: 'monitor',
    summary: 'the downtime monitor alone: one probe a second, on schedule',
    arguments: [{ name: '<url>', summary: 'what to probe' }],
    options: [
      { flags: '--log <file>', summary: 'append here (default downtime.log)' },
      { flags: '--interval <duration>', summary: 'between probes (default 1s)' },
      { flags: '--timeout <duration>', summary: 'of a probe (default 10s)' },
      { flags: '--slow <duration>', summary: 'longer is slow, and counts as downtime (default 1s)' },
      { flags: '--expect <status>', summary: 'the good status (default 200)' },
      { flags: '--duration <duration>', summary: 'end after this (default: when stopped)' },
      { flags: '--target <url...>', summary: 'more targets' },
      { flags: '--metrics <address>', summary: 'Prometheus metrics on :PORT of loopback' },
    ],
    load: async () => (await import('./commands/monitor.ts')).monitor,
  },
  {
    name: 'analyze',
    summary: 'the outages of a downtime log, ours or a curl loop’s',
    arguments: [{ name: '<log>', summary: 'the log' }],
    options: [
      { flags: '--slow <duration>', summary: 'longer is slow (default: as the log says, or 1s)' },
      { flags: '--expect <status>', summary: 'the good status (default: as the log says, or 200)' },
      { flags: '--from <time>', summary: 'from here, ISO 8601' },
      { flags: '--to <time>', summary: 'to here, ISO 8601' },
    ],
    load: async () => (await import('./commands/analyze.ts')).analyze,
  },
  {
    name: 'report',
    summary: 'all reports again, from the run folder’s two files alone',
    arguments: [{ name: '<run>', summary: 'the run folder' }],
    options: [],
    load: async () => (await import('./commands/report.ts')).report,
  },
  {
    name: 'recover',
    summary: 'undoes what an interrupted run left',
    arguments: [{ name: '[run]', summary: 'the run folder (default: the newest with something to undo)' }],
    options: [{ flags: '--cleanup', summary: 'also removes what the run applied' }],
    load: async () => (await import('./commands/recover.ts')).recover,
  },
];

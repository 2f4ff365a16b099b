import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setInterval as every } from 'node:timers/promises';
import { run } from '../../src/host/command.ts';
import type { CommandResult, RunOptions } from '../../src/host/host.ts';
import { needs, whereIs } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const usual: RunOptions = { env: { PATH: process.env.PATH ?? '' }, timeoutSeconds: 20 };
const sh = (script: string, over: Partial<RunOptions> = {}): Promise<CommandResult> =>
  run(['sh', '-c', script], { ...usual, ...over });

/** Waits in real time until the condition holds, at most 10 s. */
async function eventually(isSo: () => boolean): Promise<void> {
  const endsAt = performance.now() + 10_000;
  for await (const _ of every(10)) if (isSo() || performance.now() > endsAt) break;
  assert.ok(isSo());
}

/** Lets that many seconds of the command's time limits pass, once the command has written the file `ready`. */
function passing(t: TestContext, ready: string) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  return async (seconds: number): Promise<void> => {
    await eventually(() => existsSync(ready));
    t.mock.timers.tick(seconds * 1000);
  };
}

/** A zombie that nobody has reaped yet is dead as well. */
function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

test('a command gives its exit code and both outputs, whole', async () => {
  const result = await sh('echo out; echo err >&2; exit 3');
  assert.deepEqual(
    { ...result, seconds: 0 },
    { exitCode: 3, stdout: 'out\n', stderr: 'err\n', seconds: 0, timedOut: false },
  );
  const long = await sh('head -c 1000000 /dev/zero | tr "\\0" x');
  assert.equal(long.stdout.length, 1_000_000);
});

test('the environment is what is given, and nothing of ours', async () => {
  process.env.HOLDFAST_SECRET = 'inherited';
  const { stdout } = await run(['/usr/bin/env'], { env: { ONLY: 'this' }, timeoutSeconds: 20 });
  delete process.env.HOLDFAST_SECRET;
  assert.equal(stdout, 'ONLY=this\n');
});

test('a command reads its whole input and its end', async () => {
  assert.equal((await sh('cat', { stdin: 'some\ntext' })).stdout, 'some\ntext');
  assert.equal((await sh('cat')).stdout, '');
});

test('a command that does not read its input is no error', async () => {
  assert.equal((await sh('exit 0', { stdin: 'x'.repeat(1_000_000) })).exitCode, 0);
});

test('the exit code is 128 + n when signal n ended the command', async () => {
  assert.equal((await sh('kill -KILL $$')).exitCode, 137);
  assert.equal((await sh('kill -TERM $$')).exitCode, 143);
});

test('a missing program is 127, one that may not be executed 126, and stderr says which', async () => {
  const missing = await run(['no-such-program'], usual);
  assert.equal(missing.exitCode, 127);
  assert.match(missing.stderr, /no-such-program: command not found/);
  const forbidden = await run(['/etc/passwd'], usual);
  assert.equal(forbidden.exitCode, 126);
  assert.match(forbidden.stderr, /EACCES/);
  const nowhere = await sh('true', { cwd: '/no/such/folder' });
  assert.equal(nowhere.exitCode, 127);
  assert.match(nowhere.stderr, /\/no\/such\/folder: no such folder/);
});

test('after the timeout everything that the command started is ended', async (t) => {
  const folder = temporaryFolder(t);
  const pass = passing(t, `${folder}/ready`);
  const script = `sleep 61 & echo $! > ${folder}/pid; echo > ${folder}/ready; sleep 62`;
  const started = async () => {
    await pass(0.3);
    const grandchild = Number(readFileSync(`${folder}/pid`, 'utf8'));
    await eventually(() => !isAlive(grandchild));
  };
  const result = await sh(script, { timeoutSeconds: 0.3, started });
  assert.equal(result.timedOut, true);
  assert.equal(result.exitCode, 143);
});

test('what a timed-out command leaves behind is killed, even if it refuses to end', async (t) => {
  const folder = temporaryFolder(t);
  const pass = passing(t, `${folder}/ready`);
  const stubborn = `trap '' TERM; until [ -s ${folder}/pid ]; do sleep 0.01; done; echo > ${folder}/ready; exec sleep 63`;
  const script = `(${stubborn}) > /dev/null 2>&1 & echo $! > ${folder}/pid; wait`;
  const result = await sh(script, { timeoutSeconds: 0.5, started: () => pass(0.5) });
  assert.equal(result.timedOut, true);
  await eventually(() => !isAlive(Number(readFileSync(`${folder}/pid`, 'utf8'))));
});

test('a program that ignores SIGTERM is killed ten seconds later', async (t) => {
  const folder = temporaryFolder(t);
  const pass = passing(t, `${folder}/ready`);
  const script = `trap 'echo > ${folder}/got-sigterm' TERM; while :; do echo > ${folder}/ready; sleep 0.01; done`;
  const started = async ({ pid }: { readonly pid: number }) => {
    await pass(0.2);
    await eventually(() => existsSync(`${folder}/got-sigterm`));
    await pass(9.999);
    // It goes on.
    rmSync(`${folder}/ready`);
    await pass(0.001);
    await eventually(() => !isAlive(pid));
  };
  const result = await sh(script, { timeoutSeconds: 0.2, started });
  assert.equal(result.exitCode, 137);
  assert.equal(result.timedOut, true);
});

test('a process that became another user’s cannot be killed, and its own end is awaited', async (t) => {
  if (process.getuid?.() !== 0 || !needs(t, 'setpriv')) return t.skip('needs root and setpriv');
  const folder = temporaryFolder(t);
  chmodSync(folder, 0o777);
  const asRoot = join(folder, 'as-root');
  copyFileSync(whereIs('setpriv') ?? '', asRoot);
  chmodSync(asRoot, 0o4755);
  const source = JSON.stringify(join(import.meta.dirname, '../../src/host/command.ts'));
  const program = `
    import { existsSync, writeFileSync } from 'node:fs';
    import { mock } from 'node:test';
    mock.timers.enable({ apis: ['setTimeout'] });
    const script = 'echo > ready; for i in $(seq 6000); do [ -e go ] && break; sleep 0.01; done; id -u';
    const started = async () => {
      while (!existsSync('${folder}/ready')) await new Promise(setImmediate);
      mock.timers.tick(500);
      writeFileSync('${folder}/go', '');
    };
    const command = [${JSON.stringify(asRoot)}, '--reuid=0', 'sh', '-c', script];
    const options = { env: { PATH: process.env.PATH }, cwd: '${folder}', timeoutSeconds: 0.5, started };
    const { exitCode, stdout, timedOut } = await run(command, options);
    console.log(JSON.stringify({ exitCode, stdout, timedOut }));`;
  const node = ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath, '--input-type=module', '-e'];
  const asNobody = (script: string) => run(['setpriv', ...node, `import { run } from ${source}; ${script}`], usual);
  if ((await asNobody('')).exitCode !== 0) return t.skip('these folders are not open to everybody');
  const { stdout, stderr } = await asNobody(program);
  assert.deepEqual([stdout.trim(), stderr], [JSON.stringify({ exitCode: 0, stdout: '0\n', timedOut: true }), '']);
});

test('an aborted signal ends the whole group; aborted before, nothing starts', async (t) => {
  const folder = temporaryFolder(t);
  const stopping = new AbortController();
  const ended = sh(`sleep 64 & echo $! > ${folder}/pid; echo > ${folder}/ready; wait`, {
    signal: stopping.signal,
    started: async () => {
      await eventually(() => {
        try {
          return readFileSync(`${folder}/ready`, 'utf8') === '\n';
        } catch {
          return false;
        }
      });
      stopping.abort(new Error('enough'));
    },
  });
  const result = await ended;
  assert.equal(result.exitCode, 143);
  assert.equal(result.timedOut, false);
  await eventually(() => !isAlive(Number(readFileSync(`${folder}/pid`, 'utf8'))));
  await assert.rejects(sh(`touch ${folder}/never`, { signal: stopping.signal }), /enough/);
});

test('signals to the process group of this program, as of a terminal that goes, end no command', async () => {
  const source = JSON.stringify(join(import.meta.dirname, '../../src/host/command.ts'));
  const program = `
    import { Worker } from 'node:worker_threads';
    import { run } from ${source};
    for (const signal of ['SIGHUP', 'SIGINT']) process.on(signal, () => undefined);
    const turn = new Int32Array(new SharedArrayBuffer(4));
    // A few signals for each command, fewer than it is started again, so that a busy machine changes nothing.
    const loop = \`
      import { workerData as turn } from 'node:worker_threads';
      for (let last = 0; ; last = Atomics.load(turn, 0)) {
        Atomics.wait(turn, 0, last);
        for (let sent = 0; sent < 10; sent++) {
          process.kill(0, sent % 2 === 0 ? 'SIGHUP' : 'SIGINT');
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 0.2);
        }
      }\`;
    const stream = new Worker(loop, { eval: true, workerData: turn });
    await new Promise((resolve) => stream.once('online', resolve));
    const codes = new Set();
    for (let child = 0; child < 300; child++) {
      Atomics.add(turn, 0, 1);
      Atomics.notify(turn, 0);
      codes.add((await run(['true'], { env: { PATH: process.env.PATH }, timeoutSeconds: 60 })).exitCode);
    }
    console.log(JSON.stringify([...codes]));
    process.exit(0);`;
  // In a process group of its own, which the signals are for.
  const { stdout, stderr } = await run([process.execPath, '--input-type=module', '-e', program], usual);
  assert.deepEqual([stdout, stderr], ['[0]\n', '']);
});

test('`started` is called while the command runs, in a session of its own', async (t) => {
  let startedPid = 0;
  const going = join(temporaryFolder(t), 'going');
  const { stdout } = await sh(`until [ -e ${going} ]; do sleep 0.01; done; cut -d ' ' -f 6 < /proc/$$/stat`, {
    started: async ({ pid }) => {
      startedPid = pid;
      assert.ok(isAlive(pid));
      writeFileSync(going, '');
    },
  });
  assert.equal(Number(stdout), startedPid);
});

test('the command is killed if `started` rejects', async () => {
  let pid = 0;
  const started = async (child: { readonly pid: number }) => {
    pid = child.pid;
    throw new Error('the disk is full');
  };
  await assert.rejects(sh('sleep 65', { started }), /the disk is full/);
  await eventually(() => !isAlive(pid));
});

test('the answer of 100,000 names is whole, and for a log only its beginning and its end are kept', async () => {
  const names = 'seq -f "vendor/some-vendor-name/package/src/Subsystem/Component/Class%06gImplementation.php" 100000';
  const { stdout } = await sh(names);
  const lines = stdout.split('\n');
  assert.deepEqual([lines.length, lines[54_321]?.slice(-24)], [100_001, '054322Implementation.php']);
  assert.match((await sh(names, { isForLog: true })).stdout, /\n\[\d+ bytes are left out here\]\n/);
});

test('an answer that is longer than its limit is no answer: the command is ended, and the error says so', async () => {
  await assert.rejects(
    sh('yes', { mostAnswerBytes: 3 * 1024 * 1024 }),
    /Reading the answer of sh -c yes: it is longer than 3 MiB/,
  );
});

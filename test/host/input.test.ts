import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

const input = join(import.meta.dirname, '../../src/host/input.ts');

/** The output of a process that runs the script, which may use `input`; `feed` writes to its standard input. */
async function printed(script: string, feed: (stdin: NodeJS.WritableStream) => void): Promise<string> {
  const program = `import { standardInput } from '${input}';
    const input = standardInput(() => process.stdin);
    const never = new AbortController().signal;
    ${script}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  feed(child.stdin);
  const chunks = await Array.fromAsync(child.stdout as AsyncIterable<Buffer>);
  return Buffer.concat(chunks).toString();
}

test('a line is read without its end, and the end of the input is undefined', async () => {
  const script = `console.log(JSON.stringify([input.isTTY, await input.line()])); console.log(await input.line());`;
  assert.equal(await printed(script, (stdin) => stdin.end('yes\n')), '[false,"yes"]\nundefined\n');
});

test('asking ends with the signal', async () => {
  const script = `const stop = new AbortController(); setTimeout(() => stop.abort(), 50);
    console.log(await input.line(stop.signal)); process.exit();`;
  assert.equal(await printed(script, () => {}), 'undefined\n');
});

test('everything that is piped in comes piece by piece, until the end or the signal', async () => {
  const all = `let text = ''; for await (const piece of input.chunks(never)) text += Buffer.from(piece); console.log(text.length);`;
  assert.equal(await printed(all, (stdin) => stdin.end('x'.repeat(200_000))), '200000\n');
  const some = `const stop = new AbortController();
    for await (const piece of input.chunks(stop.signal)) { console.log(piece.length); stop.abort(); } console.log('over');`;
  assert.equal(await printed(some, (stdin) => stdin.write('one')), '3\nover\n');
});

test('an input that was closed before is an OperationError', async () => {
  const script = `process.stdin.destroy();
    try { for await (const _ of input.chunks(never)); } catch (error) { console.log(error.name, error.message); }`;
  assert.match(await printed(script, () => {}), /^OperationError Reading standard input: /);
});

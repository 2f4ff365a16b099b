import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { OperationError } from '../../src/host/errors.ts';
import { nodeFiles } from '../../src/host/files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const files = nodeFiles();
const failure = (expected: RegExp) => (error: unknown) => {
  assert.ok(error instanceof OperationError, String(error));
  assert.match(error.message, expected);
  return true;
};

async function bytesOf(path: string, fromByte?: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of files.chunks(path, fromByte)) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

for (const synchronous of [false, true]) {
  const kind = synchronous ? 'synchronous' : 'queued';
  test(`${kind} appends stand in the order of the calls, behind what was there`, async (t) => {
    const path = `${temporaryFolder(t)}/log`;
    writeFileSync(path, 'before\n');
    const log = await files.append(path, { synchronous });
    await Promise.all(Array.from({ length: 200 }, (_, i) => log.write(`${i}\n`)));
    await log.sync();
    await log.close();
    assert.equal(readFileSync(path, 'utf8'), `before\n${Array.from({ length: 200 }, (_, i) => `${i}\n`).join('')}`);
  });

  test(`${kind} appends that the disk takes only in part say so`, (t) => {
    const script = `
      import { nodeFiles } from '${import.meta.dirname}/../../src/host/files.ts';
      const log = await nodeFiles().append('${temporaryFolder(t)}/log', { synchronous: ${synchronous} });
      await log.write('x'.repeat(5000)).catch((error) => console.log(error.name, error.message));`;
    const limited = ['-c', 'ulimit -f 1; exec "$0" --input-type=module -e "$1"', process.execPath, script];
    assert.match(
      execFileSync('sh', limited, { encoding: 'utf8' }),
      /OperationError Appending to .*log: only \d+ of 5000 bytes were written/,
    );
  });
}

test('a synchronous append is in the file before the call returns', async (t) => {
  const path = `${temporaryFolder(t)}/log`;
  const log = await files.append(path, { synchronous: true });
  void log.write('at once\n');
  assert.equal(readFileSync(path, 'utf8'), 'at once\n');
  await log.close();
});

test('nothing is appended through a symbolic link, to a folder, to a pipe or where there is no folder', async (t) => {
  const folder = temporaryFolder(t);
  symlinkSync('/tmp/elsewhere', `${folder}/link`);
  execFileSync('mkfifo', [`${folder}/pipe`]);
  await assert.rejects(files.append(`${folder}/link`), failure(/link: a symbolic link is in its place \(ELOOP\)/));
  await assert.rejects(files.append(folder), failure(/it is a folder/));
  await assert.rejects(files.append(`${folder}/pipe`), failure(/not a regular file/));
  await assert.rejects(files.append(`${folder}/no/log`), failure(/no such file or folder \(ENOENT\)/));
});

test('each append is one write', async (t) => {
  const path = `${temporaryFolder(t)}/log`;
  const script = `
    import { nodeFiles } from '${import.meta.dirname}/../../src/host/files.ts';
    const log = await nodeFiles().append('${path}');
    await Promise.all(['first line\\n', 'second line\\n'].map((line) => log.write(line)));
    await log.close();`;
  try {
    execFileSync('strace', [
      '-f',
      '-e',
      'trace=write,pwrite64',
      '-o',
      `${path}.trace`,
      process.execPath,
      '--input-type=module',
      '-e',
      script,
    ]);
  } catch (error) {
    return t.skip(`strace cannot run here: ${error}`);
  }
  const writes = readFileSync(`${path}.trace`, 'utf8').match(/write\w*\(\d+, "[^"]* line/g);
  assert.equal(writes?.length, 2);
});

test('a file that is made or replaced is whole at any moment, and nothing is left beside it', async (t) => {
  const folder = temporaryFolder(t);
  const path = `${folder}/settings.json`;
  assert.equal(await files.create(path, 'first', { mode: 0o600 }), true);
  assert.equal(await files.create(path, 'second'), false);
  assert.equal(await files.read(path), 'first');
  assert.equal(statSync(path).mode & 0o777, 0o600);
  await files.replace(path, 'third');
  assert.equal(await files.read(path), 'third');
  assert.deepEqual(readdirSync(folder), ['settings.json']);
});

test('a file can be made with a time of modification, and it never has another', async (t) => {
  const path = `${temporaryFolder(t)}/file`;
  const modifiedAt = Date.UTC(2100, 0);
  assert.equal(await files.create(path, 'first', { modifiedAt }), true);
  assert.equal((await files.stat(path))?.modifiedAt, modifiedAt);
  await files.replace(path, 'second', { modifiedAt: modifiedAt + 1000 });
  assert.equal((await files.stat(path))?.modifiedAt, modifiedAt + 1000);
});

test('a mode is set whatever the umask is, and not through a link', async (t) => {
  const folder = temporaryFolder(t);
  await files.replace(`${folder}/file`, 'text', { mode: 0o600 });
  await files.setMode(`${folder}/file`, 0o664);
  assert.equal((await files.stat(`${folder}/file`))?.mode, 0o664);
  await files.makeFolder(`${folder}/inner`, { mode: 0o700 });
  await files.setMode(`${folder}/inner`, 0o711);
  assert.equal((await files.stat(`${folder}/inner`))?.mode, 0o711);
  symlinkSync('file', `${folder}/link`);
  await assert.rejects(files.setMode(`${folder}/link`, 0o600), failure(/Changing the mode of .*link: .*ELOOP/));
  assert.equal((await files.stat(`${folder}/file`))?.mode, 0o664);
});

test('of many concurrent creations of a file one succeeds, and the file holds its text', async (t) => {
  const path = `${temporaryFolder(t)}/lock`;
  const made = await Promise.all(Array.from({ length: 20 }, (_, i) => files.create(path, String(i))));
  assert.equal(made.filter(Boolean).length, 1);
  assert.equal(await files.read(path), String(made.indexOf(true)));
});

test('replacing a link replaces the link, not its target', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(`${folder}/target`, 'untouched');
  symlinkSync(`${folder}/target`, `${folder}/link`);
  await files.replace(`${folder}/link`, 'new');
  assert.equal(readFileSync(`${folder}/target`, 'utf8'), 'untouched');
  assert.equal((await files.stat(`${folder}/link`))?.kind, 'file');
});

test('a device, a pipe or a link to one is never replaced by a file, nor read in pieces without an end', async (t) => {
  const folder = temporaryFolder(t);
  execFileSync('mkfifo', [`${folder}/pipe`]);
  symlinkSync('pipe', `${folder}/link`);
  symlinkSync('/dev/null', `${folder}/null`);
  for (const name of ['pipe', 'link', 'null'])
    await assert.rejects(files.replace(`${folder}/${name}`, 'text'), failure(/Writing .*: it is not a regular file/));
  await assert.rejects(bytesOf(`${folder}/null`), failure(/Reading .*null: it is not a regular file/));
  assert.deepEqual(readdirSync(folder), ['link', 'null', 'pipe']);
  assert.ok(lstatSync(`${folder}/pipe`).isFIFO() && statSync(`${folder}/null`).isCharacterDevice());
});

test('a pipe, a device and a socket are refused at once by every reader; only what a person names may be a pipe', {
  timeout: 10_000,
}, async (t) => {
  const folder = temporaryFolder(t);
  execFileSync('mkfifo', [`${folder}/pipe`]);
  symlinkSync('pipe', `${folder}/link`);
  symlinkSync('/dev/zero', `${folder}/zero`);
  for (const name of ['pipe', 'link', 'zero'])
    for (const read of [files.read, files.open, bytesOf])
      await assert.rejects(read(`${folder}/${name}`), failure(/Reading .*: it is not a regular file/));
  const named = files.read(`${folder}/pipe`, { mayBePipe: true });
  writeFileSync(`${folder}/pipe`, 'from a shell');
  assert.equal(await named, 'from a shell');
});

test('a text that is too long for memory is refused', async (t) => {
  const path = `${temporaryFolder(t)}/sparse`;
  writeFileSync(path, '');
  truncateSync(path, 1024 ** 4);
  await assert.rejects(files.read(path), failure(/Reading .*sparse: it is longer than 268435456 bytes/));
});

test('a folder is made with its parents, and is refused where none can be made', { timeout: 10_000 }, async (t) => {
  const folder = temporaryFolder(t);
  await files.makeFolder(`${folder}/a/b/../c`, { mode: 0o700 });
  assert.deepEqual(readdirSync(`${folder}/a`), ['b', 'c']);
  assert.equal(statSync(`${folder}/a/c`).mode & 0o777, 0o700);
  symlinkSync('a', `${folder}/link`);
  await files.makeFolder(`${folder}/link`);
  await files.makeFolder(`${folder}/link/d`);
  await Promise.all(Array.from({ length: 10 }, () => files.makeFolder(`${folder}/many/at/once`)));
  writeFileSync(`${folder}/file`, '');
  symlinkSync('nothing', `${folder}/astray`);
  for (const [path, because] of [
    ['/proc/holdfast', /no such file or folder \(ENOENT\)/],
    [`${folder}/astray`, /something else is there already \(EEXIST\)/],
    [`${folder}/astray/x/y`, /something else is there already \(EEXIST\)/],
    [`${folder}/file`, /something else is there already \(EEXIST\)/],
    [`${folder}/file/x`, /a part of the path is not a folder \(ENOTDIR\)/],
    [`${folder}/${'x'.repeat(300)}`, /a name in the path is too long \(ENAMETOOLONG\)/],
    ['', /no such file or folder/],
  ] as const)
    await assert.rejects(files.makeFolder(path), failure(because));
});

test('a failed write leaves nothing behind and says why', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(`${folder}/there/full`, { recursive: true });
  await assert.rejects(files.replace(`${folder}/there`, 'text'), failure(/Writing .*there/));
  await assert.rejects(files.replace(`${folder}/no/file`, 'text'), failure(/Writing .*no such file or folder/));
  assert.deepEqual(readdirSync(folder), ['there']);
});

test('a file is read in pieces, from any byte on, and they are its bytes', async (t) => {
  const path = `${temporaryFolder(t)}/big`;
  const bytes = Buffer.from(Array.from({ length: 600_000 }, (_, i) => (i * 7919) % 251));
  writeFileSync(path, bytes);
  assert.deepEqual(await bytesOf(path), bytes);
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length + 10), async (from) => {
      assert.deepEqual(await bytesOf(path, from), bytes.subarray(from));
    }),
    { numRuns: 20 },
  );
});

test('a reader may stop before the end', async (t) => {
  const path = `${temporaryFolder(t)}/big`;
  writeFileSync(path, Buffer.alloc(1_000_000));
  for await (const piece of files.chunks(path)) {
    assert.ok(piece.length > 0);
    break;
  }
});

test('a missing file is undefined, a missing folder empty, and a missing source an error that names it', async (t) => {
  const folder = temporaryFolder(t);
  assert.equal(await files.read(`${folder}/no`), undefined);
  assert.equal(await files.stat(`${folder}/no`), undefined);
  assert.equal(await files.stat('/etc/passwd/no'), undefined);
  assert.equal(await files.realPath(`${folder}/no`), undefined);
  assert.deepEqual(await files.list(`${folder}/no`), []);
  await assert.rejects(bytesOf(`${folder}/no`), failure(/Reading .*\/no: no such file or folder \(ENOENT\)/));
  await assert.rejects(bytesOf(folder), failure(/it is a folder/));
  await files.remove(`${folder}/no`);
});

test('folders are made with their parents, listed in order, renamed, and removed with their content', async (t) => {
  const folder = temporaryFolder(t);
  await files.makeFolder(`${folder}/a/b/c`);
  await files.makeFolder(`${folder}/a/b/c`);
  for (const name of ['z', 'm', 'a']) await files.replace(`${folder}/a/${name}`, name);
  assert.deepEqual(await files.list(`${folder}/a`), ['a', 'b', 'm', 'z']);
  await files.rename(`${folder}/a`, `${folder}/moved`);
  await files.remove(`${folder}/moved`);
  assert.deepEqual(await files.list(folder), []);
  await assert.rejects(files.rename(`${folder}/a`, `${folder}/b`), failure(/Renaming .* to .*: no such file/));
});

test('a placed file has the current time as its mtime, and does not replace a folder', async (t) => {
  const folder = temporaryFolder(t);
  for (const name of ['aside', 'there']) await files.replace(`${folder}/${name}`, name);
  utimesSync(`${folder}/aside`, 1, 1);
  await files.place(`${folder}/aside`, `${folder}/there`);
  assert.equal(await files.read(`${folder}/there`), 'aside');
  assert.ok(((await files.stat(`${folder}/there`))?.modifiedAt ?? 0) > Date.now() - 10_000);
  await files.makeFolder(`${folder}/folder`);
  await assert.rejects(files.place(`${folder}/there`, `${folder}/folder`), failure(/Placing .* at .*folder: /));
});

test('a link is made and replaced atomically, but never replaces a folder', async (t) => {
  const folder = temporaryFolder(t);
  for (const name of ['one', 'two']) await files.replace(`${folder}/${name}`, name);
  for (const name of ['one', 'two']) {
    await files.link(`${folder}/current`, name);
    assert.equal(await files.read(`${folder}/current`), name);
  }
  await files.makeFolder(`${folder}/taken`);
  await assert.rejects(files.link(`${folder}/taken`, 'one'), failure(/Linking .*taken: /));
  assert.deepEqual(await files.list(folder), ['current', 'one', 'taken', 'two']);
});

test('a stat does not follow a link', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(`${folder}/file`, 'four', { mode: 0o640 });
  symlinkSync('file', `${folder}/link`);
  const file = await files.stat(`${folder}/file`);
  assert.deepEqual([file?.kind, file?.sizeBytes, file?.mode], ['file', 4, 0o640]);
  assert.ok(Math.abs((file?.modifiedAt ?? 0) - Date.now()) < 60_000);
  assert.equal((await files.stat(folder))?.kind, 'folder');
  assert.equal((await files.stat(`${folder}/link`))?.kind, 'link');
  assert.equal((await files.stat('/dev/null'))?.kind, 'other');
  assert.equal(await files.realPath(`${folder}/link`), await files.realPath(`${folder}/file`));
});

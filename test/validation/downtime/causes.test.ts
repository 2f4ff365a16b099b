import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { memoryFiles } from '../../../src/host/memory-files.ts';
import { analyze } from '../../../src/validation/downtime/analyze.ts';
import { plateauOf } from '../../../src/validation/downtime-log/plateau.ts';

const START = Date.parse('2026-11-20T10:00:00.000Z');
const header = '# holdfast downtime-log 1 target=http://app.example/ interval=1s timeout=10s slow=1s expect=200\n';

/** Good seconds around bad lines, each of which says what comes behind its time. */
async function causesOf(...bad: readonly string[]): Promise<readonly string[] | undefined> {
  const { outages, episodes } = await analyzed(bad);
  assert.deepEqual(episodes[0]?.causes, outages[0]?.causes);
  return outages[0]?.causes;
}

/** Of the one time of trouble that the lines make. */
async function episodeCauses(...lines: readonly string[]): Promise<readonly string[] | undefined> {
  const { outages, episodes } = await analyzed(lines);
  assert.ok(outages.length > 1 && episodes.length === 1);
  return episodes[0]?.causes;
}

async function analyzed(bad: readonly string[]) {
  const lines = ['200 0.010', '200 0.010', ...bad, '200 0.010'];
  const text = lines.map((line, index) => `${new Date(START + 1000 * index).toISOString()} ${line}\n`).join('');
  const files = memoryFiles();
  await files.replace('downtime.log', header + text);
  return analyze(files, 'downtime.log');
}

test('an outage says which RCODE and which reason of a handshake its samples had', async () => {
  assert.deepEqual(await causesOf('000 0.004 error=dns reason=NXDOMAIN', '000 0.004 error=dns reason=SERVFAIL'), [
    'NXDOMAIN',
    'SERVFAIL',
  ]);
  assert.deepEqual(await causesOf('000 0.004 error=tls reason=expired dns=0.001 connect=0.001'), ['expired']);
  assert.equal(await causesOf('503 0.004 dns=0.001 connect=0.001 firstByte=0.002'), undefined);
});

test('connections that are there 1, 3 or 7 s later have lost a SYN, and look-ups of 5 s a name server', async () => {
  assert.deepEqual(await causesOf('200 1.012 dns=0.001 connect=1.009 firstByte=0.002'), ['lost-syn']);
  assert.deepEqual(await causesOf('200 3.033 dns=0.001 connect=3.031 firstByte=0.001'), ['lost-syn']);
  assert.deepEqual(await causesOf('200 2.040 dns=0.001 connect=2.038 firstByte=0.001'), ['lost-syn'], 'Linux 6.5');
  assert.deepEqual(await causesOf('200 5.012 dns=5.008 connect=0.001 firstByte=0.002'), ['resolver-retry']);
});

test('answers after 5 s waited for an upstream that did not take the connection, if there are several of them', async () => {
  const waited = '200 5.004 dns=0.001 connect=0.001 firstByte=5.002';
  assert.deepEqual(await causesOf(waited, waited, waited), ['upstream-connect-timeout']);
  assert.equal(await causesOf(waited), undefined, 'one may be chance');
  const late = (seconds: string) => `200 ${seconds} dns=0.001 connect=0.001 firstByte=${seconds}`;
  assert.equal(await causesOf(waited, waited, waited, ...['1.900', '2.200', '2.600', '4.400'].map(late)), undefined);
  const behind = '200 1.004 dns=0.001 connect=0.001 firstByte=1.002';
  assert.deepEqual(await causesOf(behind, behind, behind), ['lost-syn-behind']);
});

test('where a part of the requests waits for an upstream, its samples together say so, though each outage has too few', async () => {
  const waited = '200 5.004 dns=0.001 connect=0.001 firstByte=5.002';
  const half = await episodeCauses(waited, '200 0.010', waited, '200 0.010', waited, waited);
  assert.deepEqual(half, ['upstream-connect-timeout']);
  assert.equal(await episodeCauses(waited, '200 0.010', waited), undefined, 'two may be chance');
  const late = '200 2.200 dns=0.001 connect=0.001 firstByte=2.200';
  assert.equal(
    await episodeCauses(waited, late, late, '200 0.010', waited, late, late, '200 0.010', waited),
    undefined,
  );
});

test('a phase is on a plateau in its first 150 ms alone', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 9, noNaN: true }), (connect) => {
      const isOn = [1, 2, 3, 4, 5, 7].some((step) => connect >= step && connect <= step + 0.15);
      assert.equal(plateauOf({ connect }), isOn ? 'lost-syn' : undefined);
    }),
  );
});

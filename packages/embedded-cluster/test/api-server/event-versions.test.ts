import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inApi, request } from './in-api.ts';

const core = '/api/v1/namespaces/default/events';
const events = '/apis/events.k8s.io/v1/namespaces/default/events';
const event = {
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  metadata: { name: 'one', namespace: 'default' },
  eventTime: '2026-11-20T10:00:00.000000Z',
  reportingController: 'default-scheduler',
  reportingInstance: 'default-scheduler-1',
  action: 'Binding',
  reason: 'Scheduled',
  regarding: { kind: 'Pod', name: 'a', namespace: 'default' },
  note: 'assigned',
  type: 'Normal',
};

test('an Event of events.k8s.io is an Event of the core group, and the other way round', () =>
  inApi(async ({ server }) => {
    const created = await request(server, 'POST', events, event);
    assert.deepEqual(
      [created.status, created.json.apiVersion, created.json.note],
      [201, 'events.k8s.io/v1', 'assigned'],
    );
    const { json } = await request(server, 'GET', `${core}?fieldSelector=involvedObject.name%3Da`);
    assert.deepEqual(
      json.items.map((one: Record<string, unknown>) => [one.message, one.reportingComponent, one.involvedObject]),
      [['assigned', 'default-scheduler', event.regarding]],
    );
    const patch = { series: { count: 2, lastObservedTime: '2026-11-20T10:00:01.000000Z' } };
    const type = { 'content-type': 'application/strategic-merge-patch+json' };
    const patched = await request(server, 'PATCH', `${events}/one`, patch, type);
    assert.deepEqual([patched.json.note, patched.json.series.count], ['assigned', 2]);
    assert.equal((await request(server, 'GET', `${core}/one`)).json.series.count, 2);
    const changed = await request(server, 'PATCH', `${events}/one`, { note: 'again' }, type);
    assert.deepEqual(
      [changed.status, changed.json.message],
      [422, 'Event "one" is invalid: message: Invalid value: "again": field is immutable'],
    );
    const list = await request(server, 'GET', events);
    assert.deepEqual([list.json.apiVersion, list.json.items[0].regarding], ['events.k8s.io/v1', event.regarding]);
    const operations = [{ op: 'replace', path: '/series/count', value: 3 }];
    await request(server, 'PATCH', `${events}/one`, operations, { 'content-type': 'application/json-patch+json' });
    assert.equal((await request(server, 'GET', `${core}/one`)).json.series.count, 3);
    assert.equal((await request(server, 'DELETE', `${events}/one`)).status, 200);
    assert.deepEqual((await request(server, 'GET', core)).json.items, []);
  }));

test('a watch of one group shows the Events that were written to the other', () =>
  inApi(async ({ server, clock }) => {
    const watch = (path: string) =>
      server
        .handle({ method: 'GET', url: `http://api${path}?watch=true&timeoutSeconds=61&allowWatchBookmarks=true` })
        .then((response) => response.text());
    const [inCore, inEvents] = [watch(core), watch(events)];
    await request(server, 'POST', events, event);
    await clock.sleep(62);
    const shown = async (text: Promise<string>) =>
      (await text)
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).object)
        .map(({ apiVersion, message, note }) => [apiVersion, message ?? note]);
    // A bookmark ends the initial events, of which there are none.
    assert.deepEqual(await shown(inCore), [
      ['v1', undefined],
      ['v1', 'assigned'],
      ['v1', undefined],
    ]);
    assert.deepEqual(await shown(inEvents), [
      ['events.k8s.io/v1', undefined],
      ['events.k8s.io/v1', 'assigned'],
      ['events.k8s.io/v1', undefined],
    ]);
  }));

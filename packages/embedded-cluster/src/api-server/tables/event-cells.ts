import type { StoredObject } from '../../objects/objects.ts';
import { ageAt } from './durations.ts';
import { countAt, textAt } from './values.ts';

/** core/v1 Event (kubernetes, pkg/printers/internalversion/printers.go, printEvent): its name comes last. */
export function eventCells(event: StoredObject, nowAt: number): readonly unknown[] {
  const eventTime = textAt(event, 'eventTime', '');
  const first = textAt(event, 'firstTimestamp', eventTime);
  const last = textAt(event, 'series.lastObservedTime', textAt(event, 'lastTimestamp', first));
  const count = countAt(event, 'series.count') || countAt(event, 'count') || 1;
  return [
    ageAt(last, nowAt),
    textAt(event, 'type', ''),
    textAt(event, 'reason', ''),
    objectOf(event),
    textAt(event, 'involvedObject.fieldPath', ''),
    sourceOf(event),
    textAt(event, 'message', '').trim(),
    ageAt(first, nowAt),
    count,
    event.metadata.name,
  ];
}

function objectOf(event: StoredObject): string {
  const name = textAt(event, 'involvedObject.name', '');
  const kind = textAt(event, 'involvedObject.kind', '').toLowerCase();
  return name === '' ? kind : `${kind}/${name}`;
}

function sourceOf(event: StoredObject): string {
  const component = textAt(event, 'source.component', textAt(event, 'reportingComponent', ''));
  const host = textAt(event, 'source.host', textAt(event, 'reportingInstance', ''));
  return host === '' ? component : `${component}, ${host}`;
}

/** The range in which the turning point is searched, in seconds: from 0 to `most`, in steps of `step`. */
export interface AssumptionRange {
  readonly step: number;
  readonly most: number;
}

/** Ten minutes: longer than what a rehearsal waits for anything but a new node. */
const ofTime: AssumptionRange = { step: 1, most: 600 };
/** CPU time of a request: from an nginx' for a small page, which is one step, to 100 ms. */
const ofRequest: AssumptionRange = { step: 0.00005, most: 0.1 };

export const rangeOf = (name: string): AssumptionRange => (name === 'request' ? ofRequest : ofTime);

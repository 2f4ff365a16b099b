import type { Measurement } from './measure/measure.ts';

export const cameEarly = 'traffic came before the pods could serve: give the container a readiness probe';
export const cutShort =
  'requests were cut while pods ended: give the container a preStop sleep that outlasts the endpoint lag of the ingress controller, up to 5 s for ingress-nginx, and a grace that outlasts both';

/** Pure. What to do about downtime while replicas were changed and changed back: of each change, when an outage began in it. */
export function scalingAdvice(
  { outagesBegun }: Pick<Measurement, 'outagesBegun'>,
  advice: { readonly done: string; readonly undone: string },
): string {
  const { afterUndo, beforeUndo } = outagesBegun;
  return [...(beforeUndo > 0 || afterUndo === 0 ? [advice.done] : []), ...(afterUndo > 0 ? [advice.undone] : [])].join(
    '; when it was undone ',
  );
}

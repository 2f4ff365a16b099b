import { type Adoption, adoptionOf } from '../manifests/adoption.ts';
import { nameOf, type Preview, previewManifests } from '../manifests/preview.ts';
import { asExpected, type Check, notAsExpected } from './check.ts';

/**
 * Every object of phase 3 is new, or an existing one that may be adopted, by the server's dry run; otherwise the run
 * stops before it writes.
 */
export const adoption: Check = {
  name: 'adoption',
  mandatory: true,
  async look({ site, settings }) {
    const previews = await previewManifests(site.cluster, settings);
    const assertion = {
      id: 'adoption',
      subject: previews.map(({ resource }) => nameOf(resource)).join(', ') || 'manifests: none',
      expected: 'each object is new, unchanged, or applied by holdfast before',
    };
    const previewed = previews.map((preview) => ({ preview, adoption: adoptionOf(preview) }));
    const refused = previewed.flatMap((one) => (one.adoption.state === 'refused' ? [{ ...one, ...one.adoption }] : []));
    if (refused.length === 0) return asExpected(assertion, summaryOf(previewed));
    const observed = [...Map.groupBy(refused, ({ because }) => because)]
      .map(([because, same]) => `${same.map(({ preview }) => nameOf(preview.resource)).join(', ')}: ${because}`)
      .join('; ');
    return notAsExpected(assertion, observed, [...new Set(refused.map(({ advice }) => advice))].join('; '));
  },
};

function summaryOf(previewed: readonly { readonly preview: Preview; readonly adoption: Adoption }[]): string {
  const parts = previewed.map(({ preview, adoption: { state } }) => `${preview.resource.kind} ${state}`);
  return parts.join(', ') || 'nothing is applied';
}

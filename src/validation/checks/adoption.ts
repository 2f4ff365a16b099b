import { type Adoption, adoptionOf } from '../manifests/adoption.ts';
import { nameOf, type Preview, previewManifests } from '../manifests/preview.ts';
import { asExpected, type Check, notAsExpected } from './check.ts';

/** What is there already is adopted or refused, never silently overwritten: the server's own dry run says which. */
export const adoption: Check = {
  name: 'adoption',
  mandatory: true,
  async look({ site, settings }) {
    const previews = await previewManifests(site.cluster, settings);
    const assertion = {
      id: 'adoption',
      subject: previews.map(({ resource }) => nameOf(resource)).join(', ') || 'manifests: none',
      expected: 'each object new, as it is to be, or ours',
    };
    const seen = previews.map((preview) => ({ preview, adoption: adoptionOf(preview) }));
    const refused = seen.flatMap((one) => (one.adoption.state === 'refused' ? [{ ...one, ...one.adoption }] : []));
    if (refused.length === 0) return asExpected(assertion, summaryOf(seen));
    const observed = refused.map(({ preview, because }) => `${nameOf(preview.resource)}: ${because}`).join('; ');
    return notAsExpected(assertion, observed, [...new Set(refused.map(({ advice }) => advice))].join('; '));
  },
};

function summaryOf(seen: readonly { readonly preview: Preview; readonly adoption: Adoption }[]): string {
  const parts = seen.map(({ preview, adoption: { state } }) => `${preview.resource.kind} ${state}`);
  return parts.join(', ') || 'nothing is applied';
}

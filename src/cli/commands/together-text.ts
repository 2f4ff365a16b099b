import type { Together } from '../../validation/plan/together.ts';
import { hangingIndent } from '../command/hanging-indent.ts';
import type { Page } from '../command/page.ts';

/** What the applications of `--beside` share, for people. */
export function togetherText({ pairs, steps }: Together, page: Page): string {
  const { strong } = page.paint;
  return [
    '',
    strong('Beside other applications'),
    ...pairs.flatMap(({ applications: [one, other], shares }) =>
      shares.length === 0
        ? [hangingIndent(page, '  ', `${one} and ${other} share nothing: a run of one does not reach the other`, 4)]
        : shares.map(({ what, scenarios }) =>
            hangingIndent(
              page,
              '  ',
              `${one} and ${other} share ${what}: ${scenarios.join(', ')} of one disturb both`,
              4,
            ),
          ),
    ),
    ...steps.map((step, index) => hangingIndent(page, `  ${index + 1}. `, step.join(', '), 5)),
    '',
  ].join('\n');
}

import { test } from 'node:test';
import { alteredAnswers, alteredRuns } from '../../support/altered-documents.ts';
import { inShell } from '../../support/cluster-commands.ts';

// Many more, and runs that write: `npm run campaign -- altered-documents`.

test('a run folder with any document in it is read, or a sentence: never a defect, never without end', async (t) => {
  await inShell(t, async (shell) => void (await alteredRuns(shell, { from: 39_000, count: 24 })));
});

test('an API server that answers with any document is understood, or a sentence', async (t) => {
  await inShell(t, async (shell) => {
    await shell.holdfast('validate', '--scenario', 'single-replica', '--yes', '--out', `${shell.folder}/run`);
    await alteredAnswers(shell, { from: 39_000, count: 40 });
  });
});

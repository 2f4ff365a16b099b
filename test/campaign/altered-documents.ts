import { test } from 'node:test';
import { alteredAnswers, alteredRuns, alteredValidations } from '../support/altered-documents.ts';
import { inShell } from '../support/cluster-commands.ts';

/** `SEED=3 HOLDFAST_DOCUMENTS=20000`: where the documents begin, and how many. */
const from = Number(process.env.SEED ?? 1) * 1_000_000;
const count = Number(process.env.HOLDFAST_DOCUMENTS ?? 2000);

test('run folders with altered documents', async (t) => {
  await inShell(t, async (shell) => console.log(await alteredRuns(shell, { from, count: count / 4 })));
});

test('API servers that answer with altered documents', async (t) => {
  await inShell(t, async (shell) => {
    await shell.holdfast('validate', '--scenario', 'single-replica', '--yes', '--out', `${shell.folder}/run`);
    console.log(await alteredAnswers(shell, { from, count: count / 2 }));
  });
});

test('validations on such servers', async (t) => {
  await inShell(t, async (shell) => console.log(await alteredValidations(shell, { from, count: count / 50 })));
});

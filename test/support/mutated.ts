import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type Mutant, withMutant } from './mutant.ts';

// `test/campaign/mutants.ts` starts tests with this module: they load the one source with the change, and no file is
// written.
const mutant: Mutant = JSON.parse(process.env.MUTANT ?? '{}');

registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith('file:') || fileURLToPath(url) !== mutant.file) return nextLoad(url, context);
    const source = withMutant(readFileSync(mutant.file, 'utf8'), mutant);
    return { format: 'module-typescript', source, shortCircuit: true };
  },
});

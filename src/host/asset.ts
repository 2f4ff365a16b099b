import { readFileSync } from 'node:fs';

/** The text of a file that lies beside the program's own modules, such as a script in another language. */
export const asset = (file: URL): string => readFileSync(file, 'utf8');

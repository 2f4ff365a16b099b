import { asset } from '../../host/asset.ts';

const codeOf = (name: string): string => asset(new URL(`./${name}.php`, import.meta.url)).replace('<?php\n', '');

/** The program that starts the application as artisan would, for `php -r`, which takes no opening tag. */
export const startDriver = (): string => codeOf('artisan-beginning') + codeOf('artisan-start');

/** The program that runs artisan commands one after the other. */
export const stepsDriver = (): string => codeOf('artisan-beginning') + codeOf('artisan-steps');

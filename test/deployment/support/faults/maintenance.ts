import { deploymentTest, type Fault, guard } from './fault.ts';

const run = (name: string) => deploymentTest('maintenance', name);
const page = (name: string) => deploymentTest('maintenance-page', name);

/** Faults of the maintenance page: visitors who are not kept off, and visitors who are never let in again. */
export const maintenanceFaults: readonly Fault[] = [
  guard(
    310,
    'visitors are not kept off while the tree changes',
    run('with a file for the web server visitors get 503 while the tree changes'),
  ),
  guard(
    311,
    'the health check meets the maintenance page',
    run('a commit that fails is rolled back behind the maintenance page, which is lifted before the last health check'),
  ),
  guard(312, 'the maintenance page of a person is lifted', run('a maintenance mode that a person has set stays')),
  guard(
    313,
    'after a kill visitors are kept off for ever',
    page('after kill -9 nginx answers 503 until doctor --repair or the next deploy lifts it'),
  ),
  guard(314, 'a signal leaves the page', run('SIGTERM lifts it: the site is put back and open')),
  guard(
    315,
    'nginx does not know the page, or visitors keep it',
    page('a real nginx answers 503 with Retry-After by the file of docs/deploy.md while a deploy runs'),
  ),
  guard(
    316,
    'Laravel shows its page without Retry-After, or not at all once its code is broken',
    run('a real Laravel answers 503 with Retry-After by artisan down, and is up for the health check'),
  ),
  guard(
    317,
    'a page that was left keeps the next deploy from beginning',
    run('what a run has left is lifted before the next one asks whether the site is up'),
  ),
  guard(318, 'a reset that failed leaves the page', run('a reset that fails and is undone leaves no maintenance page')),
  guard(
    319,
    'visitors of the mode releases are not kept off',
    run('in the mode releases visitors get it from the steps of the new release until opcache is renewed'),
  ),
  guard(
    322,
    'php-fpm as another user cannot read the page, and visitors get 500',
    run('with umask 077 php-fpm as another user answers 503 too, by artisan down and without it'),
  ),
];

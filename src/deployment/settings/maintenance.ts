import type { PresetName } from './presets.ts';

/** How visitors are kept off while the checkout changes. */
export interface MaintenanceSettings {
  /** What Retry-After says, in seconds. */
  readonly retryAfter: number;
  /** A file that the web server looks for; absent: Laravel's own maintenance mode. */
  readonly file?: string;
}

/** The setting as people write it: `true`, or an object. */
export type MaintenanceGiven = boolean | { readonly file?: string; readonly retryAfter: number };

/** Undefined where the site stays open to visitors. */
export function maintenanceFrom(given: MaintenanceGiven): MaintenanceSettings | undefined {
  if (given === false) return undefined;
  return given === true ? { retryAfter: defaultRetryAfter } : given;
}

/** Seconds: a deploy is done by then. */
const defaultRetryAfter = 60;

/** A mistake where the preset has no maintenance mode and no file is named. */
export function maintenanceTrouble(given: unknown, preset: PresetName): readonly string[] {
  const isOn = given === true || (typeof given === 'object' && given !== null && !('file' in given));
  if (!isOn || preset.startsWith('laravel')) return [];
  return [
    `deployment.maintenance is on, and the preset ${JSON.stringify(preset)} has no maintenance mode of its own: name a file that the web server looks for, { file: PATH }.`,
  ];
}

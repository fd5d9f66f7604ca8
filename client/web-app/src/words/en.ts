import type { ErrorTexts } from '@sealpost/ui'

/** Words of the parts that every app has. */
export const shell = {
  opening: 'Opening …',
  back: 'Back',
  cancel: 'Cancel',
  broken: 'This page cannot be shown',
  old: (when: string) => `What you see was read ${when} and may have changed since.`,
}

/** What an app must have among its words. */
export interface WebAppWords {
  readonly shell: typeof shell
  /** By the key of a refusal of the app itself. */
  readonly refusals: ErrorTexts
}

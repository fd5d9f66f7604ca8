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

export const SHOULD_NOT = 'Close the app and open it again. If this stays, tell us: it should never happen.'

/** By the key of a refusal of the worker. */
export const refusals: ErrorTexts = {
  cannot_open: {
    what: 'This cannot be opened: it was damaged on its way, or sealed to another key than yours.',
    next: 'Nothing of it is shown. Ask the company to send it once more.',
  },
}

import type { ErrorText, ErrorTexts } from '../error-text.ts'
import { type DeskWords, deskWords } from './desk-en.ts'
import { errorsInEnglish } from './errors-en.ts'

export interface UiWords {
  readonly field: {
    readonly optional: string
    readonly show: string
    readonly hide: string
  }
  readonly search: {
    readonly type: string
    readonly change: string
    readonly changeName: (label: string) => string
    readonly searching: string
    readonly failed: string
    readonly nothing: string
    readonly more: string
  }
  readonly failure: {
    readonly again: string
    readonly offline: ErrorText
    readonly unexpected: ErrorText
    readonly untrusted: ErrorText
    readonly invalid: ErrorText
    readonly locked: ErrorText
    /** Appended where the platform says when. */
    readonly waitSeconds: (seconds: number) => string
    /** For the person who is asked for help. */
    readonly reference: (requestId: string) => string
  }
  readonly desk: DeskWords
  readonly errors: ErrorTexts
}

export const uiWords: UiWords = {
  field: { optional: '(optional)', show: 'Show what is typed', hide: 'Hide what is typed' },
  search: {
    type: 'Type to search',
    change: 'Change',
    changeName: (label) => `Change: ${label}`,
    searching: 'Searching …',
    failed: 'That could not be searched. Type again in a moment.',
    nothing: 'Nothing matches. Try other letters.',
    more: 'There are more. Type on to find them.',
  },
  failure: {
    again: 'Try again',
    offline: {
      what: 'Sealpost cannot be reached.',
      next: 'Check whether this device is online, then try again. Nothing was lost.',
    },
    unexpected: { what: 'Something went wrong on our side.', next: 'Try again in a moment.' },
    untrusted: {
      what: 'The server answered with something that this device did not agree to, so nothing was sent.',
      next: 'Close the app and open it again. If this stays, tell us: it should never happen.',
    },
    invalid: { what: 'Something is not filled in as it should be.', next: 'Look at the marked fields.' },
    locked: { what: 'Sealpost is locked.', next: 'Unlock it, then try again.' },
    waitSeconds: (seconds) => (seconds === 1 ? 'Wait a second first.' : `Wait ${seconds} seconds first.`),
    reference: (requestId) => `Reference ${requestId}`,
  },
  desk: deskWords,
  errors: errorsInEnglish,
}

import type { ErrorTexts } from '@sealpost/ui'
import type { WebAppWords } from './en.ts'

export const shell: WebAppWords['shell'] = {
  opening: 'Wird geöffnet …',
  back: 'Zurück',
  cancel: 'Abbrechen',
  broken: 'Diese Seite kann nicht gezeigt werden',
  old: (when) => `Was Sie sehen, wurde zuletzt gelesen: ${when}. Seither kann es sich geändert haben.`,
}

export const SHOULD_NOT =
  'Schließen Sie die App und öffnen Sie sie neu. Wenn es so bleibt, sagen Sie uns Bescheid: Das darf nie vorkommen.'

/** By the key of a refusal of the worker. */
export const refusals: ErrorTexts = {
  cannot_open: {
    what: 'Das lässt sich nicht öffnen: Es wurde unterwegs beschädigt oder für einen anderen Schlüssel als Ihren versiegelt.',
    next: 'Nichts davon wird gezeigt. Bitten Sie das Unternehmen, es noch einmal zu schicken.',
  },
}

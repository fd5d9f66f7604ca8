import type { WebAppWords } from './en.ts'

export const shell: WebAppWords['shell'] = {
  opening: 'Wird geöffnet …',
  back: 'Zurück',
  cancel: 'Abbrechen',
  broken: 'Diese Seite kann nicht gezeigt werden',
  old: (when) => `Was Sie sehen, wurde zuletzt gelesen: ${when}. Seither kann es sich geändert haben.`,
}

import { deskWords } from './desk-de.ts'
import type { UiWords } from './en.ts'
import { errorsInGerman } from './errors-de.ts'

export const uiWords: UiWords = {
  field: { optional: '(freiwillig)', show: 'Eingabe zeigen', hide: 'Eingabe verbergen' },
  search: {
    type: 'Zum Suchen tippen',
    change: 'Ändern',
    changeName: (label) => `${label} ändern`,
    searching: 'Wird gesucht …',
    failed: 'Die Suche ging nicht. Tippen Sie gleich noch einmal.',
    nothing: 'Nichts passt. Versuchen Sie andere Buchstaben.',
    more: 'Es gibt mehr. Tippen Sie weiter.',
  },
  failure: {
    again: 'Noch einmal versuchen',
    offline: {
      what: 'Sealpost ist nicht erreichbar.',
      next: 'Prüfen Sie, ob dieses Gerät online ist, und versuchen Sie es noch einmal. Es ging nichts verloren.',
    },
    unexpected: { what: 'Bei uns ist etwas schiefgegangen.', next: 'Versuchen Sie es gleich noch einmal.' },
    untrusted: {
      what: 'Der Server hat etwas geantwortet, dem dieses Gerät nicht zugestimmt hat. Deshalb wurde nichts gesendet.',
      next: 'Schließen Sie die App und öffnen Sie sie neu. Wenn es so bleibt, sagen Sie uns Bescheid: Das darf nie vorkommen.',
    },
    invalid: {
      what: 'Etwas ist nicht so ausgefüllt, wie es sein muss.',
      next: 'Sehen Sie sich die markierten Felder an.',
    },
    locked: { what: 'Sealpost ist gesperrt.', next: 'Entsperren Sie es und versuchen Sie es noch einmal.' },
    waitSeconds: (seconds) =>
      seconds === 1 ? 'Warten Sie vorher eine Sekunde.' : `Warten Sie vorher ${seconds} Sekunden.`,
    reference: (requestId) => `Kennung ${requestId}`,
  },
  desk: deskWords,
  errors: errorsInGerman,
}

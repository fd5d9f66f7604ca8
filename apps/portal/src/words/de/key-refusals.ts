import type { ErrorTexts } from '@sealpost/ui'
import { SHOULD_NOT } from '@sealpost/web-app/words/de'

const NOTHING_SEALED = 'Geben Sie diesen Dienst keinen Kunden. Sagen Sie uns Bescheid: Das darf nie vorkommen.'

export const refusals: ErrorTexts = {
  passphrase_wrong: {
    what: 'Diese Passphrase öffnet den Schlüssel dieses Dienstes nicht.',
    next: 'Vergleichen Sie sie Buchstabe für Buchstabe mit der aufbewahrten; Groß und Klein sind verschieden. Versuche schaden nicht.',
  },
  service_key_weak: {
    what: 'Der Schlüssel dieses Dienstes ist anders geschützt als vereinbart. Deshalb wurde Ihre Passphrase nicht verwendet.',
    next: SHOULD_NOT,
  },
  service_key_damaged: { what: 'Was der Server antwortet, ist nicht der Schlüssel dieses Dienstes.', next: SHOULD_NOT },
  not_a_key_file: {
    what: 'Diese Datei ist keine Schlüsseldatei von Sealpost.',
    next: 'Wählen Sie die Datei, deren Name mit .pem endet, wie sie vom Dienst heruntergeladen wurde.',
  },
  new_key_exchanged: {
    what: 'Der Server hat einen anderen Schlüssel gespeichert als den, der in diesem Browser entstand.',
    next: NOTHING_SEALED,
  },
  new_key_gone: {
    what: 'Das Portal wurde inzwischen gesperrt; der neue Schlüssel ist weg. Es ist kein Dienst entstanden.',
    next: 'Beginnen Sie neu. Werfen Sie die aufbewahrte Passphrase weg: Sie öffnet nichts.',
  },
  recovery_copy_other: {
    what: 'Die Kopie zur Wiederherstellung öffnet sich nicht mit dem Schlüssel dieses Kontos. Nichts davon wird gezeigt.',
    next: SHOULD_NOT,
  },
  key_changed: {
    what: 'Der Server nennt einen anderen Schlüssel als den, den dieser Browser kennt. Es wurde nichts dafür versiegelt.',
    next: SHOULD_NOT,
  },
}

import { refusals as ofTheSession, shell as ofSignIn } from '@sealpost/session/words/de'
import type { ErrorTexts } from '@sealpost/ui'
import { refusals as ofEveryApp, shell as ofShell, SHOULD_NOT } from '@sealpost/web-app/words/de'
import type { Words } from '../en/index.ts'
import { refusals as ofKeys } from './key-refusals.ts'

export const shell: Words['shell'] = {
  ...ofShell,
  ...ofSignIn,
  main: 'Hauptmenü',
  notFound: { title: 'Hier ist nichts', lead: 'Die Adresse ist vielleicht alt oder vertippt.', home: 'Zum Anfang' },
  region: (code) => `Region ${code}`,
  places: { services: 'Dienste', settings: 'Einstellungen' },
  account: 'Konto',
  lock: 'Sperren',
}

export const refusals: ErrorTexts = {
  ...ofEveryApp,
  ...ofTheSession,
  ...ofKeys,
  key_of_another_service: {
    what: 'Das ist der Schlüssel eines anderen Dienstes. Deshalb wurde nichts geöffnet.',
    next: 'Nehmen Sie Schlüsseldatei und Passphrase dieses Dienstes. Wenn beide sicher stimmen, sagen Sie uns Bescheid.',
  },
  no_service_key: {
    what: 'Der Schlüssel dieses Dienstes ist hier nicht offen.',
    next: 'Öffnen Sie ihn mit der Passphrase des Dienstes.',
  },
  other_run: {
    what: 'Der Server hat einen anderen Ablauf geschickt als diesen. Deshalb wird nichts davon gezeigt.',
    next: SHOULD_NOT,
  },
  run_parties: {
    what: 'Der Server nennt andere Beteiligte dieses Ablaufs als zuvor. Deshalb wird nichts davon gezeigt.',
    next: SHOULD_NOT,
  },
  service_key_changed: {
    what: 'Der Server zeigt für diesen Dienst einen anderen Schlüssel als zuvor. Schlüssel von Diensten ändern sich nie, deshalb wurde nichts geöffnet.',
    next: SHOULD_NOT,
  },
}

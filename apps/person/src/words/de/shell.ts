import type { ErrorTexts } from '@sealpost/ui'
import type { Words } from '../en/index.ts'

export const shell: Words['shell'] = {
  opening: 'Wird geöffnet …',
  back: 'Zurück',
  cancel: 'Abbrechen',
  main: 'Hauptmenü',
  notFound: { title: 'Hier ist nichts', lead: 'Die Adresse ist vielleicht alt oder vertippt.', home: 'Zum Anfang' },
  proof: {
    passcode: 'Ihr Zugangscode',
    notSetUp: 'Dieses Gerät kann noch nicht bestätigen, dass Sie es sind.',
    notSetUpNext: 'Richten Sie Fingerabdruck, Gesicht oder Zugangscode ein und kommen Sie dann zurück.',
    setUp: 'Jetzt einrichten',
  },
  dock: { home: 'Start', data: 'Meine Daten', sees: 'Wer sieht', settings: 'Mehr' },
}

export const refusals: ErrorTexts = {
  device_not_set_up: {
    what: 'Dieses Gerät kann noch nicht bestätigen, dass Sie es sind.',
    next: 'Richten Sie zuerst Fingerabdruck, Gesicht oder Zugangscode ein.',
  },
  leads_elsewhere: {
    what: 'Der Weg zurück führt an einen anderen Ort als den angefragten.',
    next: 'Schließen Sie diese Seite und beginnen Sie noch einmal dort, wo Sie herkamen.',
  },
  invitation_gone: { what: 'Diese Einladung ist nicht mehr offen.', next: 'Bitten Sie das Unternehmen um eine neue.' },
  no_passkey: { what: 'Diese Seite bietet keine Passkeys an.', next: 'Nehmen Sie einen Zugangscode.' },
  no_registration: {
    what: 'Diese Anmeldung wurde unterbrochen.',
    next: 'Beginnen Sie neu; es wurde nichts gespeichert.',
  },
  no_unlock: {
    what: 'Dieses Gerät ist nicht zum Entsperren eingerichtet.',
    next: 'Melden Sie sich mit Ihrem Passwort an.',
  },
  not_a_recovery_code: {
    what: 'Das ist kein ganzer Notfallcode.',
    next: 'Er hat 14 Gruppen mit je 4 Zeichen. Vergleichen Sie ihn Zeichen für Zeichen mit dem aufbewahrten.',
  },
  passcode_forgotten: {
    what: 'Das waren fünf falsche Zugangscodes. Dieses Gerät hat Ihren Schlüssel deshalb vergessen.',
    next: 'Melden Sie sich mit Ihrem Passwort an. Es ist nichts verloren.',
  },
  passcode_short: {
    what: 'Der Zugangscode ist zu kurz.',
    next: 'Nehmen Sie mindestens sechs Ziffern oder Buchstaben.',
  },
  passcode_wrong: {
    what: 'Das ist nicht Ihr Zugangscode.',
    next: 'Versuchen Sie es noch einmal. Nach fünf falschen braucht es Ihr Passwort.',
  },
  passkey_refused: {
    what: 'Das Gerät hat nicht bestätigt.',
    next: 'Versuchen Sie es noch einmal oder nehmen Sie einen Zugangscode.',
  },
  passkey_cannot_unlock: {
    what: 'Dieses Gerät kann bestätigen, dass Sie es sind, aber Ihren Schlüssel nicht aufbewahren.',
    next: 'Nehmen Sie einen Zugangscode.',
  },
  password_needed: {
    what: 'Ihr Passwort wird noch einmal gebraucht.',
    next: 'Tippen Sie es ein und versuchen Sie es noch einmal.',
  },
  session_ended: { what: 'Dieses Gerät wurde abgemeldet.', next: 'Melden Sie sich mit Ihrem Passwort an.' },
  storage_refused: {
    what: 'Dieser Browser lässt Sealpost nichts aufbewahren.',
    next: 'Verlassen Sie das private Fenster oder erlauben Sie dieser Seite das Speichern.',
  },
  wrong_key: {
    what: 'Damit ließen sich Ihre Daten nicht öffnen.',
    next: 'Versuchen Sie es noch einmal oder nehmen Sie Ihr Passwort.',
  },
}

import type { ErrorTexts } from '@sealpost/ui'
import { SHOULD_NOT } from '@sealpost/web-app/words/de'

const UNSAFE_PASSWORD = 'Der Server will, dass Ihr Passwort unsicher verwendet wird. Deshalb wurde nichts gesendet.'
const NOT_YOUR_KEY = 'Der Server hat etwas anderes als Ihren Schlüssel geantwortet. Deshalb wurde nichts geöffnet.'

/** By the key of a refusal of the worker. */
export const refusals: ErrorTexts = {
  device_not_listed: {
    what: 'In der Liste des Servers fehlt dieses Gerät, obwohl es eingerichtet ist.',
    next: 'Sperren Sie die App und melden Sie sich mit Ihrem Passwort an. Wenn es so bleibt, sagen Sie uns Bescheid.',
  },
  device_not_set_up: {
    what: 'Dieses Gerät kann noch nicht bestätigen, dass Sie es sind.',
    next: 'Richten Sie zuerst Fingerabdruck, Gesicht oder Zugangscode ein.',
  },
  kdf_invalid: { what: UNSAFE_PASSWORD, next: SHOULD_NOT },
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
  not_a_key_wrap: { what: NOT_YOUR_KEY, next: SHOULD_NOT },
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
  strange_challenge: {
    what: 'Der Server will von diesem Gerät eine Unterschrift, die es nicht geben soll. Es wurde nichts unterschrieben.',
    next: SHOULD_NOT,
  },
  too_costly: { what: UNSAFE_PASSWORD, next: SHOULD_NOT },
  too_weak: { what: UNSAFE_PASSWORD, next: SHOULD_NOT },
  wrong_purpose: { what: NOT_YOUR_KEY, next: SHOULD_NOT },
  wrong_key: {
    what: 'Damit ließen sich Ihre Daten nicht öffnen.',
    next: 'Versuchen Sie es noch einmal oder nehmen Sie Ihr Passwort.',
  },
}

import type { ErrorTexts } from '@sealpost/ui'
import { shell as ofEveryApp } from '@sealpost/web-app/words/de'
import type { Words } from '../en/index.ts'

const SHOULD_NOT =
  'Schließen Sie die App und öffnen Sie sie neu. Wenn es so bleibt, sagen Sie uns Bescheid: Das darf nie vorkommen.'
const UNSAFE_PASSWORD = 'Der Server will, dass Ihr Passwort unsicher verwendet wird. Deshalb wurde nichts gesendet.'
const NOT_YOUR_KEY = 'Der Server hat etwas anderes als Ihren Schlüssel geantwortet. Deshalb wurde nichts geöffnet.'

export const shell: Words['shell'] = {
  ...ofEveryApp,
  main: 'Hauptmenü',
  notFound: { title: 'Hier ist nichts', lead: 'Die Adresse ist vielleicht alt oder vertippt.', home: 'Zum Anfang' },
  proof: {
    passcode: 'Ihr Zugangscode',
    notSetUp: 'Dieses Gerät kann noch nicht bestätigen, dass Sie es sind.',
    notSetUpNext: 'Richten Sie Fingerabdruck, Gesicht oder Zugangscode ein und kommen Sie dann zurück.',
    setUp: 'Jetzt einrichten',
  },
  dock: { home: 'Start', inbox: 'Post', data: 'Meine Daten', sees: 'Wer sieht', settings: 'Mehr' },
  waiting: (things) => (things === 1 ? '1 wartet' : `${things} warten`),
  waitingUnknown: 'nicht zählbar',
}

export const refusals: ErrorTexts = {
  cannot_open: {
    what: 'Das lässt sich nicht öffnen: Es wurde unterwegs beschädigt oder für einen anderen Schlüssel als Ihren versiegelt.',
    next: 'Nichts davon wird gezeigt. Bitten Sie das Unternehmen, es noch einmal zu schicken.',
  },
  asked_otherwise: {
    what: 'Das Unternehmen fragt jetzt nach etwas anderem, als Ihnen gezeigt wurde. Deshalb wurde nichts gesendet.',
    next: 'Sehen Sie es sich noch einmal an, bevor Sie entscheiden.',
  },
  connection_ended: {
    what: 'Der Server zeigt eine Verbindung, die Sie beendet haben. Deshalb wurde nichts gesendet.',
    next: SHOULD_NOT,
  },
  connection_forged: {
    what: 'Der Server zeigt eine Verbindung, die keines Ihrer Geräte gemacht hat. Deshalb wurde nichts gesendet.',
    next: SHOULD_NOT,
  },
  connection_outdated: {
    what: 'Der Server zeigt einen älteren Stand einer Verbindung, als dieses Gerät kennt. Deshalb wurde nichts gesendet.',
    next: SHOULD_NOT,
  },
  connection_unknown: {
    what: 'Der Server zeigt eine Verbindung, die keines Ihrer Geräte gemacht hat. Deshalb wurde nichts gesendet.',
    next: SHOULD_NOT,
  },
  consent_changed: {
    what: 'Die Anfrage ist eine andere, als Ihnen gezeigt wurde. Deshalb wurde nichts gesendet.',
    next: 'Sehen Sie sie sich noch einmal an, bevor Sie entscheiden.',
  },
  device_not_listed: {
    what: 'In der Liste des Servers fehlt dieses Gerät, obwohl es eingerichtet ist.',
    next: 'Sperren Sie die App und melden Sie sich mit Ihrem Passwort an. Wenn es so bleibt, sagen Sie uns Bescheid.',
  },
  device_not_set_up: {
    what: 'Dieses Gerät kann noch nicht bestätigen, dass Sie es sind.',
    next: 'Richten Sie zuerst Fingerabdruck, Gesicht oder Zugangscode ein.',
  },
  document_changed: {
    what: 'Das ist nicht, was das Unternehmen gesendet hat: Es wurde unterwegs verändert oder beschädigt.',
    next: 'Nichts davon wird gezeigt. Versuchen Sie es noch einmal; bleibt es so, bitten Sie das Unternehmen, es erneut zu senden.',
  },
  kdf_invalid: { what: UNSAFE_PASSWORD, next: SHOULD_NOT },
  key_changed: {
    what: 'Der Schlüssel dieses Unternehmens ist ein anderer, als dieses Gerät kennt. Deshalb wurde nichts gesendet.',
    next: 'Fragen Sie das Unternehmen, ob es einen neuen Schlüssel hat. Geben Sie ihm bis dahin nichts.',
  },
  leads_elsewhere: {
    what: 'Der Weg zurück führt an einen anderen Ort als den angefragten.',
    next: 'Schließen Sie diese Seite und beginnen Sie noch einmal dort, wo Sie herkamen.',
  },
  invitation_gone: { what: 'Diese Einladung ist nicht mehr offen.', next: 'Bitten Sie das Unternehmen um eine neue.' },
  mapping_unknown: {
    what: 'Der Server sagt, dass ein Unternehmen diesem Wert folgt; Sie haben ihn nie gegeben. Deshalb wurde nichts gesendet.',
    next: SHOULD_NOT,
  },
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
  plaintext_not_agreed: {
    what: 'Diese App bekäme Ihre Daten als einfachen Text, und dem haben Sie nicht zugestimmt; es wurde nichts gesendet.',
    next: 'Öffnen Sie die Anfrage noch einmal, und stimmen Sie dem einfachen Text zu oder lehnen Sie ab.',
  },
  paper_replaced: {
    what: 'Das Unternehmen hat diese Unterlage ersetzt, seit Sie sie geöffnet haben. Deshalb wurde nichts unterschrieben.',
    next: 'Lesen Sie die neue und entscheiden Sie dann noch einmal.',
  },
  not_a_key_wrap: { what: NOT_YOUR_KEY, next: SHOULD_NOT },
  notices_refused: {
    what: 'Dieses Gerät lässt Sealpost keine Mitteilungen zeigen.',
    next: 'Erlauben Sie dieser Seite Mitteilungen in den Einstellungen des Browsers und versuchen Sie es noch einmal.',
  },
  no_push_service: {
    what: 'Dieser Browser war für Mitteilungen nicht erreichbar.',
    next: 'Versuchen Sie es noch einmal, wenn er online ist. Manche Browser haben keinen solchen Dienst.',
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

import { refusals as ofTheSession, shell as ofSignIn } from '@sealpost/session/words/de'
import type { ErrorTexts } from '@sealpost/ui'
import { refusals as ofEveryApp, shell as ofShell, SHOULD_NOT } from '@sealpost/web-app/words/de'
import type { Words } from '../en/index.ts'

export const shell: Words['shell'] = {
  ...ofShell,
  ...ofSignIn,
  main: 'Hauptmenü',
  notFound: { title: 'Hier ist nichts', lead: 'Die Adresse ist vielleicht alt oder vertippt.', home: 'Zum Anfang' },
  dock: { home: 'Start', inbox: 'Post', data: 'Meine Daten', sees: 'Wer sieht', settings: 'Mehr' },
  waiting: (things) => (things === 1 ? '1 wartet' : `${things} warten`),
  waitingUnknown: 'nicht zählbar',
}

export const refusals: ErrorTexts = {
  ...ofEveryApp,
  ...ofTheSession,
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
  document_changed: {
    what: 'Das ist nicht, was das Unternehmen gesendet hat: Es wurde unterwegs verändert oder beschädigt.',
    next: 'Nichts davon wird gezeigt. Versuchen Sie es noch einmal; bleibt es so, bitten Sie das Unternehmen, es erneut zu senden.',
  },
  key_not_announced: {
    what: 'Der Server zeigt für dieses Unternehmen einen anderen Schlüssel, als sein Link sagt. Es wurde nichts gesendet.',
    next: 'Bitten Sie das Unternehmen um einen neuen Link, aber nicht über diese App. Bis beide gleich sind, geben Sie ihm nichts.',
  },
  link_cut: {
    what: 'Das Ende dieses Links fehlt oder ist beschädigt. So kann er nicht sagen, welcher Schlüssel der richtige ist.',
    next: 'Kopieren Sie den ganzen Link, scannen Sie den Code noch einmal oder bitten Sie das Unternehmen um einen neuen.',
  },
  key_changed: {
    what: 'Der Schlüssel dieses Unternehmens ist ein anderer, als dieses Gerät kennt. Deshalb wurde nichts gesendet.',
    next: 'Fragen Sie das Unternehmen, ob es einen neuen Schlüssel hat. Geben Sie ihm bis dahin nichts.',
  },
  run_definition: {
    what: 'Die Fragen dieses Formulars sind andere, als dieses Gerät kennt. Deshalb wurde nichts gesendet.',
    next: 'Sie ändern sich nie, wenn ein Formular begonnen hat. Sagen Sie es dem Unternehmen, und antworten Sie bis dahin nicht.',
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
  plaintext_not_agreed: {
    what: 'Diese App bekäme Ihre Daten als einfachen Text, und dem haben Sie nicht zugestimmt; es wurde nichts gesendet.',
    next: 'Öffnen Sie die Anfrage noch einmal, und stimmen Sie dem einfachen Text zu oder lehnen Sie ab.',
  },
  paper_replaced: {
    what: 'Das Unternehmen hat diese Unterlage ersetzt, seit Sie sie geöffnet haben. Deshalb wurde nichts unterschrieben.',
    next: 'Lesen Sie die neue und entscheiden Sie dann noch einmal.',
  },
  notices_refused: {
    what: 'Dieses Gerät lässt Sealpost keine Mitteilungen zeigen.',
    next: 'Erlauben Sie dieser Seite Mitteilungen in den Einstellungen des Browsers und versuchen Sie es noch einmal.',
  },
  no_push_service: {
    what: 'Dieser Browser war für Mitteilungen nicht erreichbar.',
    next: 'Versuchen Sie es noch einmal, wenn er online ist. Manche Browser haben keinen solchen Dienst.',
  },
}

import { pluralOf } from '@sealpost/ui/plural'
import type { Words } from '../en/index.ts'

const plural = pluralOf('de')

export const home: Words['home'] = {
  place: 'Übersicht',
  failed: (count) =>
    plural(count, {
      one: 'Etwas ist ausgefallen. Nichts ist verloren.',
      other: '# Dinge sind ausgefallen. Nichts ist verloren.',
    }),
  waits: (count) => plural(count, { one: 'Etwas wartet auf Sie', other: '# Dinge warten auf Sie' }),
  calm: 'Nichts wartet auf Sie',
  calmLead: 'Alles läuft von selbst.',
  alsoWaits: (count) => plural(count, { one: 'Noch etwas wartet.', other: 'Noch # Dinge warten.' }),
  atLeast: 'Vielleicht wartet noch mehr: Nur das Älteste ist aufgeführt.',
  needs: 'Was Sie braucht',
  isFailed: 'Ausgefallen',
  isWaiting: 'Wartet',
  acts: {
    webhook_parked: (count) => ({
      verb: 'Reparieren:',
      rest: plural(count, { one: 'ein Webhook', other: '# Webhooks' }),
    }),
    webhook_paused: (count) => ({
      verb: 'Fortsetzen:',
      rest: plural(count, { one: 'ein Webhook', other: '# Webhooks' }),
    }),
    backlog_old: (count) => ({
      verb: 'Abholen:',
      rest: plural(count, {
        one: 'Ereignisse, die auf einen Leser warten',
        other: 'Ereignisse, die auf # Leser warten',
      }),
    }),
    run_awaits: (count) => ({ verb: 'Beantworten:', rest: plural(count, { one: 'ein Ablauf', other: '# Abläufe' }) }),
    signature_awaits: (count) => ({
      verb: 'Unterschreiben:',
      rest: plural(count, { one: 'ein Dokument', other: '# Dokumente' }),
    }),
    messages_unread: (count) => ({
      verb: 'Lesen:',
      rest: plural(count, { one: 'Nachrichten eines Kunden', other: 'Nachrichten von # Kunden' }),
    }),
    event_quarantined: (count) => ({
      verb: 'Ansehen:',
      rest: plural(count, { one: 'ein beiseitegelegtes Ereignis', other: '# beiseitegelegte Ereignisse' }),
    }),
  },
  why: {
    webhook_parked: 'Der Server nimmt nichts an. Was geschieht, wartet der Reihe nach.',
    webhook_paused: 'Er wurde hier angehalten. Was geschieht, wartet der Reihe nach.',
    backlog_old: 'Sie warten seit mehr als einem Tag.',
    run_awaits: 'Das Unternehmen ist an der Reihe.',
    signature_awaits: 'Die anderen haben unterschrieben; das Unternehmen ist an der Reihe.',
    messages_unread: 'Versiegelt, bis Sie den Schlüssel des Dienstes öffnen.',
    event_quarantined: 'Es entspricht nicht dem, was für seine Art vereinbart ist, und wurde deshalb nicht gesendet.',
  },
  since: (when) => `seit ${when}`,
  open: 'Abläufe öffnen',
  services: 'Dienste',
  allServices: 'Alle Dienste',
  audit: 'Protokoll',
  allAudit: 'Ganzes Protokoll',
  noAudit: 'Noch wurde nichts geändert.',
  account: 'Konto',
  level: 'Stufe',
  region: 'Region',
  code: 'Code des Unternehmens',
  codeAbout: 'Kunden finden damit Ihre Dienste.',
  stored: 'Dateien und Fotos',
  of: (used, quota) => `${used} von ${quota}`,
  noLimit: (used) => `${used}, ohne Grenze`,
  keys: 'findet jede Seite und jeden Dienst und tut, was hier getan wird',
}

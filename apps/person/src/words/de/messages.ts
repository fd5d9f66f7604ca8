import type { Words } from '../en/index.ts'

export const messages: Words['messages'] = {
  title: 'Nachrichten',
  lead: (unread) =>
    unread === 0
      ? 'Nur Sie und das Unternehmen können öffnen, was Sie einander schreiben.'
      : unread === 1
        ? 'Eine ist neu. Nur Sie und das Unternehmen können öffnen, was Sie einander schreiben.'
        : `${unread} sind neu. Nur Sie und das Unternehmen können öffnen, was Sie einander schreiben.`,
  empty: 'Sie können jedem Unternehmen schreiben, mit dem Sie verbunden sind.',
  connect: 'Mit einem Unternehmen verbinden',
  none: 'Noch keine Nachrichten',
  you: (text) => `Sie: ${text}`,
  draft: 'Noch nicht gesendet',
  onItsWay: 'Unterwegs',
  unopened: 'Diese Nachricht lässt sich nicht öffnen: Sie ist beschädigt oder für einen anderen Schlüssel versiegelt.',
  unread: (count) => `${count} neu`,
  thread: {
    lead: (service) => `${service}. Nur Sie beide können öffnen, was Sie hier schreiben; Sealpost kann es nicht.`,
    label: 'Nachrichten',
    earlier: 'Frühere zeigen',
    begin: 'Noch wurde nichts geschrieben.',
    newHere: 'Neu',
    own: 'Sie',
    broadcast: 'An alle Kunden, nicht versiegelt',
    sent: (time) => `Gesendet ${time}`,
    read: (time) => `Gelesen ${time}`,
    sending: 'Wird gesendet …',
    waiting: 'Wartet auf das Netz. Sie liegt auf diesem Gerät und wird einmal gesendet.',
    again: 'Jetzt senden',
    takeBack: 'Ändern',
    write: 'Ihre Nachricht',
    send: 'Senden',
    tooLong: 'Das ist zu lang für eine Nachricht. Senden Sie es in zwei Teilen.',
    today: 'Heute',
  },
}

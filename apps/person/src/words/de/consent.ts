import type { Words } from '../en/index.ts'

export const consent: Words['consent'] = {
  opening: 'Die Anfrage wird gelesen …',
  toHome: 'Zum Anfang',
  broken: {
    title: 'Diese Anfrage lässt sich nicht zeigen',
    what: 'Die Adresse dieser Seite stammt von keiner App, oder ein Teil von ihr ging verloren.',
    next: 'Es wurde nichts geteilt. Schließen Sie die Seite und beginnen Sie noch einmal dort, wo Sie herkamen.',
  },
  titles: {
    signin: (company) => `Bei ${company} anmelden?`,
    one_time: (company) => `${company} einmal etwas geben?`,
    connect: (company) => `Mit ${company} verbinden?`,
    '2fa_enroll': (company) => `Anmeldungen bei ${company} hier bestätigen?`,
  },
  leads: {
    signin: (asker) => `${asker} möchte wissen, dass Sie es sind.`,
    one_time: (asker) => `${asker} bittet um eine Kopie. Spätere Änderungen folgen nicht.`,
    connect: (asker, isConnected) =>
      isConnected
        ? `Sie sind mit ${asker} schon verbunden. Es geht nur darum, dass Sie es sind.`
        : `${asker} möchte mit Ihnen verbunden bleiben. Sie entscheiden, was es sieht.`,
    '2fa_enroll': (asker, isConnected, isEnrolled) =>
      isEnrolled
        ? `Sie bestätigen Anmeldungen bei ${asker} schon. Sie können weitermachen.`
        : isConnected
          ? `Von jetzt an fragt diese App Sie, wenn sich jemand bei ${asker} als Sie anmeldet.`
          : `Diese App fragt Sie dann, wenn sich jemand bei ${asker} als Sie anmeldet. Dafür verbinden Sie sich auch.`,
  },
  after: {
    signin: (company) => `Nur ${company} kann öffnen, was Sie geben. Sealpost kann es nicht.`,
    one_time: (company) => `Nur ${company} kann öffnen, was Sie geben. Sealpost kann es nicht.`,
    connect: (company) => `Nur ${company} kann öffnen, was Sie geben. Sie können es jederzeit ändern oder beenden.`,
    '2fa_enroll': (company) =>
      `Eine Anmeldung zu bestätigen teilt keine Ihrer Daten mit ${company}. Sie können das jederzeit beenden.`,
  },
  text: {
    readOnTheWay: (company) =>
      `${company} bekommt das als einfachen Text: Sealpost reicht ihn weiter und könnte ihn lesen.`,
    agree: 'Als einfachen Text geben',
    notAgreed: 'Stimmen Sie zuerst dem einfachen Text zu, oder lehnen Sie ab.',
    wasSealed: (company) => `Bisher bekam ${company} das versiegelt; jetzt wird es als einfacher Text verlangt.`,
    wasSealedNext: 'Wenn Sie nicht wissen, warum, lehnen Sie ab und fragen Sie die Firma.',
  },
  notVerified:
    'Es muss bestätigt sein, und in Ihren Daten ist nichts bestätigt. Bestätigen Sie es dort und kommen Sie dann hierher zurück.',
  detached: 'Diese Anfrage kommt von einem anderen Bildschirm.',
  detachedNext:
    'Machen Sie nur weiter, wenn Sie dort selbst damit begonnen haben. Hat jemand Sie hierher geschickt, lehnen Sie ab.',
  acts: {
    signin: 'Anmelden',
    one_time: 'Einmal geben',
    connect: 'Verbinden',
    '2fa_enroll': 'Anmeldungen hier bestätigen',
  },
  busy: 'Wird versiegelt und gesendet …',
  deny: 'Ablehnen',
  denying: 'Wird abgelehnt …',
  done: {
    title: 'Fertig',
    lead: (company) => `Gehen Sie zum anderen Bildschirm zurück: ${company} macht dort weiter.`,
  },
  denied: { title: 'Abgelehnt', lead: (company) => `${company} weiß es und hat nichts von Ihnen bekommen.` },
}

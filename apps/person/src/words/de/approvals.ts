import type { Words } from '../en/index.ts'

export const approvals: Words['approvals'] = {
  ask: (company) => `Melden Sie sich gerade bei ${company} an?`,
  words: (company, time) => `In den Worten von ${company}, um ${time}`,
  noWords: (service, time) => `${service}, um ${time}`,
  ends: (left) => `endet in ${left}`,
  digits: 'Tippen Sie die Zahl ein, die Sie dort sehen',
  digitsMissing: 'Zwei Ziffern stehen dort, wo Sie sich anmelden. Sehen Sie keine, lehnen Sie ab.',
  approve: 'Bestätigen',
  approving: 'Wird bestätigt …',
  deny: 'Ablehnen',
  denying: 'Wird abgelehnt …',
  later: 'Später entscheiden',
  notMe: 'Das war ich nicht',
  notMeAbout: 'Lehnt ab, stoppt deren Anfragen für eine Stunde und meldet es dort. Bestätigen teilt keine Ihrer Daten.',
  reporting: 'Wird gemeldet …',
  close: 'Schließen',
  ended: {
    approved: { title: 'Bestätigt', about: (company) => `Gehen Sie zurück zu ${company}: dort geht es weiter.` },
    denied: { title: 'Abgelehnt', about: (company) => `Niemand wurde bei ${company} angemeldet.` },
    reported: {
      title: 'Gemeldet',
      about: (company) =>
        `Niemand wurde angemeldet, und ${company} kann Sie eine Stunde lang nicht fragen. Kennt jemand dort Ihr Passwort, ändern Sie es.`,
    },
    wrong: {
      title: 'Nach drei falschen Zahlen abgelehnt',
      about: (company) => `Niemand wurde bei ${company} angemeldet. Waren Sie es, beginnen Sie dort noch einmal.`,
    },
    expired: {
      title: 'Diese Anfrage ist zu Ende',
      about: (company) => `Niemand wurde bei ${company} angemeldet. Waren Sie es, beginnen Sie dort noch einmal.`,
    },
  },
  page: {
    title: 'Anmeldungen',
    lead: 'Diese Unternehmen fragen Sie hier, wenn sich dort jemand als Sie anmeldet.',
    waiting: 'Wartet auf Sie',
    answer: 'Antworten',
    answerName: (company) => `${company} antworten`,
    companies: 'Unternehmen',
    empty: 'Noch fragt Sie kein Unternehmen. Es beginnt beim Unternehmen, wo Sie sich anmelden.',
    since: (service, when) => `${service} · seit ${when}`,
    revoke: 'Beenden',
    revokeName: (company) => `Für ${company} beenden`,
    revoking: 'Wird beendet …',
    revokeAbout:
      'Nach „Beenden“ lässt Sie das Unternehmen ohne diese App hinein oder gar nicht: fragen Sie zuerst dort.',
  },
}

import type { Words } from '../en/index.ts'

export const connections: Words['connections'] = {
  sees: {
    title: 'Wer sieht was',
    lead: 'Auf Ihren Geräten versiegelt. Nur wer hier steht, kann einen Wert öffnen; Sealpost kann es nicht.',
    empty: 'Niemand sieht etwas von Ihnen. Verbinden Sie sich mit dem Code, den Ihnen ein Unternehmen gegeben hat.',
    everybody: 'Alle',
    onlyYou: 'Nur Sie',
    show: 'Zeigen',
    live: (when) => `Jede Änderung, seit ${when}`,
    copy: (when) => `Eine Kopie, ${when}`,
    typedOnly: 'Nur für dieses Unternehmen geschrieben',
    connect: 'Mit einem Unternehmen verbinden',
    none: 'Dieses Unternehmen sieht nichts von Ihnen.',
    companies: 'Unternehmen',
  },
  connect: {
    title: 'Mit einem Unternehmen verbinden',
    lead: 'Tippen oder scannen Sie den Code, den es Ihnen gegeben hat. Sie sehen, worum es bittet, bevor etwas gesendet wird.',
    code: 'Code',
    codeHint: 'Zwei Teile mit einem Schrägstrich dazwischen, etwa NRTHWD/INTAKE.',
    codeProblem: 'Der Code hat zwei Teile mit einem Schrägstrich dazwischen.',
    look: 'Nachsehen',
    looking: 'Wird nachgesehen …',
    scan: 'Mit einem QR-Code',
  },
  offer: {
    title: (company) => `Mit ${company} verbinden?`,
    lead: (service, asked) =>
      asked === 0
        ? `${service} bittet jetzt um nichts.`
        : asked === 1
          ? `${service} bittet um eine Angabe. Sie entscheiden.`
          : `${service} bittet um ${asked} Angaben. Sie entscheiden über jede.`,
    forCompanies: 'Dieser Dienst ist nur für Unternehmen.',
    needed: 'Nötig',
    optional: 'Freiwillig',
    live: 'Jede Änderung folgt, bis Sie es beenden.',
    oneTime: 'Eine Kopie. Spätere Änderungen folgen nicht.',
    verified: 'Muss geprüft sein',
    fromData: (label) => `Meine Angabe „${label}“`,
    typed: 'Etwas anderes, nur für dieses Unternehmen',
    newValue: 'Jetzt schreiben',
    withhold: 'Nicht geben',
    legend: (label) => `${label}: Was geben Sie?`,
    keep: 'Auch in meinen Daten aufbewahren',
    value: 'Wert',
    missing: 'Das Unternehmen braucht das. Wählen Sie etwas, oder verbinden Sie sich nicht.',
    afterwards: 'Sie können das jederzeit ändern oder beenden.',
    connect: 'Verbinden und teilen',
    connectNothing: 'Verbinden',
    busy: 'Wird versiegelt und gesendet …',
    fileLater: 'Legen Sie diese Datei zuerst unter „Meine Daten“ ab; dann können Sie sie hier wählen.',
  },
  connection: {
    since: (when) => `Verbunden seit ${when}`,
    lead: (service, count) =>
      count === 0
        ? `${service} sieht nichts von Ihnen.`
        : count === 1
          ? `${service} sieht eine Angabe von Ihnen.`
          : `${service} sieht ${count} Angaben von Ihnen.`,
    shared: 'Was es sieht',
    pending: 'Worum es bittet',
    pendingLead: 'Nichts wird gesendet, bis Sie entscheiden.',
    withheld: 'Was Sie nicht geben',
    about: 'Über das Unternehmen',
    change: 'Ändern',
    decide: 'Entscheiden',
    give: 'Geben',
    stop: 'Nicht mehr teilen',
    declineAct: 'Nicht geben',
    saving: 'Wird versiegelt …',
    fromField: (label) => `Ihre Angabe „${label}“`,
    typed: 'Nur für dieses Unternehmen geschrieben',
    typedUnseen: 'Was Sie damals schrieben: Nur das Unternehmen kann es öffnen',
    post: 'Zwischen Ihnen',
    write: 'Nachrichten',
    papers: 'Unterlagen',
    end: 'Verbindung beenden',
  },
  end: {
    title: (company) => `Es mit ${company} beenden?`,
    whatFollows: 'Was daraus folgt',
    follows: (company) => [
      `${company} verliert alles, was Sie teilen: Die Plattform löscht es dort.`,
      'Was es schon anderswo notiert hat oder nach dem Gesetz behalten muss, bleibt bei ihm.',
      'Seine Anmelde-Anfragen und Nachrichten an Sie enden.',
      'Sie können sich später mit demselben Code neu verbinden.',
    ],
    act: 'Verbindung beenden',
    busy: 'Wird beendet …',
    keep: 'Behalten',
  },
  invitation: {
    from: (company) => `${company} lädt Sie ein`,
    reject: 'Nein, danke',
    look: 'Sehen, worum es bittet',
    rejecting: 'Wird geantwortet …',
  },
}

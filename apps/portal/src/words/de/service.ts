import type { Words } from '../en/index.ts'

export const service: Words['service'] = {
  title: 'Ein Dienst',
  code: 'Code',
  keyOpen: 'Schlüssel hier offen',
  keyClosed: 'Schlüssel hier nicht offen: Werte bleiben versiegelt',
  tabs: { overview: 'Überblick', fields: 'Worum Sie bitten', api: 'API-Zugang', key: 'Schlüssel', runs: 'Vorgänge' },
  madeOn: (day) => `Gemacht am ${day}.`,
  share: {
    title: 'Wie Kunden hierher kommen',
    lead: 'Setzen Sie Code, Link oder QR-Code auf Ihre Website, einen Brief oder den Tresen. Kunden sehen, worum Sie bitten, bevor sie etwas geben.',
    code: 'Code',
    link: 'Link',
    qr: (name) => `QR-Code des Links zu ${name}`,
    why: 'Link und QR-Code sagen, welcher Schlüssel der richtige ist. Die App der Kunden verweigert einen anderen, auch wenn ein Server dazwischen ihn nennt. Der Code allein sagt es nicht.',
    noApp: 'Der Betreiber dieser Seite hat nicht gesagt, wo Kunden sich verbinden. Deshalb gibt es keinen Link.',
    unknown:
      'Dieser Browser kennt den Schlüssel dieses Dienstes noch nicht und macht deshalb keinen Link und keinen QR-Code.',
    unknownNext:
      'Öffnen Sie den Schlüssel einmal mit seiner Passphrase. Ein Link mit einem Schlüssel, den nur ein Server genannt hat, würde niemanden schützen.',
    toKey: 'Schlüssel öffnen',
  },
  ending: {
    title: 'Diesen Dienst beenden',
    lead: 'Seine Verbindungen enden, und was Kunden geteilt haben, wird gelöscht. Unterschriebenes und Vorgänge bleiben bei Ihnen.',
    act: 'Dienst löschen …',
    question: (name) => `${name} löschen`,
    whatFollows: 'Was folgt',
    follows: [
      'Jede Verbindung endet, und was Kunden geteilt haben, wird gelöscht. Die Kunden erfahren es.',
      'Webhooks und der Client des Dienstes enden sofort; Systeme, die sie nutzen, bekommen nichts mehr.',
      'Was unterschrieben oder angenommen wurde und die Dokumente von Vorgängen bleiben bei Ihnen. Ebenso der Schlüssel, der sie öffnet: Behalten Sie die Passphrase.',
      'Der Code wird frei. Den Dienst bringt niemand zurück.',
    ],
    delete: (name) => `${name} löschen`,
    busy: 'Der Dienst endet …',
    keep: 'Behalten',
  },
}

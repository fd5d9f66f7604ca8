import { pluralOf } from '@sealpost/ui/plural'
import type { Words } from '../en/index.ts'

const plural = pluralOf('de')

export const delegates: Words['delegates'] = {
  title: 'Beauftragte',
  lead: 'Kollegen, die mit einem eigenen Konto für dieses Unternehmen arbeiten. Jeder sieht die Dienste, die Sie wählen, und nichts vom Konto selbst.',
  empty: 'Sie arbeiten hier allein. Kollegen mit einem Konto lassen Sie mit dem Code ihres Kontos ein.',
  add: 'Beauftragten hinzufügen',
  name: 'Beauftragter',
  code: 'Code',
  role: 'Rolle',
  services: 'Dienste',
  keys: 'Schlüssel',
  since: 'Seit',
  unnamed: 'Noch nicht mitgeteilt',
  countOfServices: (count) => plural(count, { one: '# Dienst', other: '# Dienste' }),
  noServices: 'Keine',
  countOfKeys: (count, of) => `${count} von ${of}`,
  roles: { admin: 'Verwaltung', operator: 'Betrieb' },
  rolesAbout: {
    admin: 'Richtet Dienste ein und öffnet mit den Schlüsseln, die Sie übergeben, was Kunden gegeben haben.',
    operator:
      'Sieht, wer verbunden ist und ob alles läuft. Öffnet keine Werte, Nachrichten und Antworten und ändert nichts.',
  },
  whichServices: 'Welche Dienste',
  whichServicesAbout: 'Alle anderen sind, als gäbe es sie nicht.',
  noService:
    'Dieses Unternehmen hat noch keinen Dienst. Sie können den Beauftragten jetzt einlassen und Dienste später geben.',
  addPage: {
    lead: 'Sie brauchen den Code des Kontos, das Ihr Kollege selbst hat. Er steht dort in den Einstellungen und am Anfang der App für Personen.',
    code: 'Code des Kontos',
    codeHint: 'Sechs Buchstaben und Ziffern, etwa R7TQ4K.',
    codeProblem: 'Schreiben Sie den Code, den Ihr Kollege genannt hat.',
    send: 'Einlassen',
    busy: 'Wird eingelassen …',
  },
  page: {
    save: 'Speichern',
    busy: 'Wird gespeichert …',
    saved: 'Gespeichert. Es gilt ab dem nächsten Klick des Beauftragten.',
    loses: (services) =>
      `Ohne Zugang zu ${services} wird die übergebene Passphrase gelöscht. Hat der Beauftragte sie gesehen, kennt er sie weiter: Denken Sie an einen neuen Dienst mit eigenem Schlüssel.`,
    keys: 'Schlüssel von Diensten',
    keysAbout:
      'Ein Beauftragter öffnet nur mit der Passphrase des Dienstes, was Kunden gegeben haben. Sie versiegeln sie für ihn; Sealpost kann sie nicht öffnen.',
    keysOfOperator: 'Der Betrieb öffnet nichts und braucht deshalb keinen Schlüssel.',
    keyed: 'Übergeben',
    notKeyed: 'Nicht übergeben',
    handOver: 'Übergeben',
    again: 'Noch einmal übergeben',
    act: 'Zu tun',
    fingerprint: 'Fingerabdruck des Schlüssels des Beauftragten',
    fingerprintAbout:
      'Lassen Sie ihn sich vorlesen, bevor Sie einen Schlüssel übergeben; er steht in den Einstellungen des Portals. Ist er anders, übergeben Sie nichts und sagen Sie uns Bescheid.',
    noKey: 'Dieses Konto hat noch keinen Schlüssel, für den sich eine Passphrase versiegeln ließe.',
    remove: 'Diesen Beauftragten entfernen',
    follows: [
      'Ab dem nächsten Klick sieht der Beauftragte nichts mehr von diesem Unternehmen.',
      'Übergebene Passphrasen werden gelöscht. Solche, die er gesehen hat, kennt er weiter.',
      'Was er getan hat, bleibt im Protokoll.',
    ],
    removeBusy: 'Wird entfernt …',
  },
  keyPage: {
    title: (service) => `Den Schlüssel von ${service} übergeben`,
    lead: 'Die Passphrase wird in diesem Browser für den Schlüssel des Beauftragten versiegelt und hier sofort vergessen.',
    compared: 'Mir wurde derselbe Fingerabdruck vorgelesen',
    comparedProblem:
      'Vergleichen Sie zuerst den Fingerabdruck: Er zeigt, dass niemand einen anderen Schlüssel untergeschoben hat.',
    passphrase: 'Passphrase des Dienstes',
    passphraseHint: '43 Buchstaben, Ziffern, - und _. Leerzeichen zwischen Gruppen stören nicht.',
    send: 'Versiegeln und übergeben',
    busy: 'Wird geprüft und versiegelt …',
  },
  handed: {
    is: 'Die Passphrase dieses Dienstes wurde Ihnen übergeben, versiegelt für Ihren Schlüssel.',
    open: 'Damit öffnen',
    busy: 'Der Schlüssel wird geöffnet …',
    isNot: 'Die Passphrase dieses Dienstes wurde Ihnen nicht übergeben.',
    ask: 'Bitten Sie den Inhaber des Unternehmens darum, oder öffnen Sie den Schlüssel unten auf anderem Weg.',
  },
  own: {
    title: 'Wenn Sie für ein anderes Unternehmen arbeiten sollen',
    about: 'Nennen Sie dem Inhaber Ihren Code. Wird Ihnen ein Schlüssel übergeben, lesen Sie diesen Fingerabdruck vor.',
    code: 'Ihr Code',
    fingerprint: 'Fingerabdruck Ihres Schlüssels',
  },
}

import type { Words } from '../en/index.ts'

export const newService: Words['newService'] = {
  steps: ['Name', 'Schlüssel', 'Fertig'],
  stepsLabel: 'Schritte',
  done: 'erledigt',
  leave: 'Verlassen, noch ist nichts entstanden',
  about: {
    title: 'Wie heißt der neue Dienst?',
    lead: 'Kunden sehen diesen Namen, bevor sie sich verbinden. Nehmen Sie, was sie sagen würden: „Hausbesuche“, „Mieter“, „Mitgliedschaft“.',
    name: 'Name',
    nameHint: 'Höchstens 120 Zeichen. Sie können ihn später ändern.',
    nameProblem: 'Schreiben Sie den Namen, den Kunden sehen.',
    shareCode: 'Code',
    shareCodeHint:
      'Kunden finden den Dienst unter dem Code Ihres Unternehmens und diesem. Bis zu 8 Buchstaben und Ziffern; sonst entsteht er aus dem Namen.',
    shareCodeProblem: 'Nehmen Sie bis zu 8 Buchstaben von A bis Z und Ziffern.',
    adminEmail: 'Wer erfährt, wenn etwas nicht stimmt?',
    adminEmailHint: 'Eine E-Mail-Adresse, die jemand liest: wenn Ihr Server nicht antwortet oder sich zu viel staut.',
    adminEmailProblem: 'Schreiben Sie eine E-Mail-Adresse wie it@firma.example.',
    audience: 'Wer verbindet sich?',
    audiences: { both: 'Menschen und Unternehmen', person: 'Menschen', company: 'Unternehmen' },
    next: 'Weiter zum Schlüssel',
    leave: 'Verlassen',
    followsTitle: 'Was folgt',
    follows:
      'Dieser Browser macht einen Schlüssel für den Dienst und zeigt einmal die Passphrase, die ihn öffnet. Halten Sie einen Passwortmanager, einen Drucker oder einen sicheren Ort bereit. Der Dienst entsteht, wenn Sie sie aufbewahrt haben.',
  },
  key: {
    making: 'In diesem Browser entsteht ein Schlüssel …',
    title: (name) => `Diese Passphrase öffnet ${name}. Sie sehen sie einmal.`,
    lead: 'Jeder Wert, den Kunden diesem Dienst geben, und jede Datei, die sie privat nennen, öffnet sich nur mit dieser Passphrase. Sie ist eben in diesem Browser entstanden; Sealpost hat sie nie gesehen.',
    passphrase: 'Passphrase',
    print: 'Drucken',
    save: 'Schlüsseldatei (PEM) herunterladen',
    saving: 'Die Datei entsteht …',
    saved: 'Gespeichert. Noch einmal herunterladen',
    uncover: 'Aufdecken und nach zwei anderen fragen',
    create: (name) => `${name} anlegen`,
    busy: 'Der Dienst entsteht …',
    back: 'Name oder Code ändern',
    password: 'Passwort Ihres Kontos',
    passwordHint:
      'Es öffnet hier den Schlüssel zur Wiederherstellung, damit die Kopie für Ihren versiegelt wird und keinen anderen.',
    paperTitle: (name) => `Passphrase von ${name} – Sealpost`,
    paper:
      'Lesen Sie die Gruppen von links nach rechts, ohne Leerzeichen. Sie öffnet alles, was Kunden diesem Dienst geben. Bewahren Sie sie getrennt von der Schlüsseldatei auf, wo nur wenige hinkommen.',
    lost: {
      title: 'Wenn etwas verloren geht',
      file: 'Die Schlüsseldatei',
      fileLost:
        'Nichts passiert. Laden Sie sie wieder beim Dienst herunter, wann Sie wollen. Ohne die Passphrase öffnet die Datei nichts.',
      passphrase: 'Die Passphrase',
      passphraseLost:
        'Der Inhaber bekommt sie aus der Kopie zur Wiederherstellung zurück, mit dem Passwort des Kontos und einem Code per Mail.',
      passphraseGone: 'Ohne Kopie zur Wiederherstellung bringt nichts sie zurück.',
      keep: 'Eine Kopie zur Wiederherstellung behalten',
      keepAbout: 'Versiegelt für Ihr Unternehmen. Sealpost speichert sie und kann sie nicht öffnen.',
      both: 'Die Passphrase und der Weg zur Kopie',
      passphraseAlone: 'Also schon mit der Passphrase allein',
      bothLost:
        'Was Kunden gegeben haben, bleibt für immer zu. Niemand kann es öffnen, auch Sealpost nicht. Die Kunden haben ihre Daten noch; Sie würden einen neuen Dienst machen und jeden noch einmal fragen.',
      foundTitle: 'Wenn jemand anderes sie findet',
      found:
        'Mit der Schlüsseldatei oder einem Weg in dieses Portal öffnet sie alles, was dem Dienst gegeben wurde. Halten Sie beide getrennt: die Datei bei Ihren Systemen, die Passphrase im Passwortmanager oder Safe. Eine kopierte Passphrase bleibt in der Zwischenablage, bis Sie etwas anderes kopieren.',
    },
  },
  proof: {
    title: 'Zeigen Sie nun, dass Sie sie haben',
    lead: (places) =>
      `Die Gruppen ${places.join(' und ')} sind verdeckt. Tippen Sie sie von dort ab, wo Sie die Passphrase aufbewahren.`,
    group: (place) => `Gruppe ${place}`,
    wrong: 'Das ist nicht diese Gruppe. Groß und Klein sind verschieden.',
  },
  ready: {
    title: (name) => `${name} ist da`,
    lead: (code) => `Kunden finden ihn unter ${code}. Noch wird niemand nach etwas gefragt.`,
    next: [
      'Sagen Sie, worum Sie Kunden bitten. Sie sehen es, bevor sie sich verbinden.',
      'Geben Sie Kunden den Link oder den QR-Code des Dienstes. Er sagt, welcher Schlüssel der richtige ist, sodass niemand einen anderen dazwischen setzen kann.',
      'Melden Sie den Client des Dienstes an, wenn eines Ihrer Systeme lesen soll, was Kunden geben.',
    ],
    toFields: 'Sagen, worum Sie bitten',
    toService: 'Zum Dienst',
    toKey: 'Zu seinem Schlüssel',
    copyMissing: 'Der Dienst ist da, aber die Kopie zur Wiederherstellung ließ sich nicht speichern.',
    copyMissingNext:
      'Legen Sie auf der Seite seines Schlüssels eine an. Bis dahin bringt nur Ihre eigene Kopie die Passphrase zurück.',
  },
}

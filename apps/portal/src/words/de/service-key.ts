import type { Words } from '../en/index.ts'

export const serviceKey: Words['serviceKey'] = {
  title: 'Den Schlüssel dieses Dienstes öffnen',
  lead: 'Er öffnet sich nur in diesem Browser, bleibt, bis Sie das Portal sperren oder 15 Minuten nichts tun, und lässt sich nicht herausnehmen.',
  way: 'Womit',
  ways: { passphrase: 'Mit der Passphrase', file: 'Mit Schlüsseldatei und Passphrase' },
  passphrase: 'Passphrase des Dienstes',
  passphraseHint: '43 Buchstaben, Ziffern, - und _. Leerzeichen zwischen Gruppen stören nicht.',
  file: 'Schlüsseldatei (PEM)',
  fileProblem: 'Wählen Sie die Schlüsseldatei dieses Dienstes; ihr Name endet mit .pem.',
  open: 'Schlüssel öffnen',
  busy: 'Der Schlüssel wird geöffnet …',
  close: 'Schlüssel schließen',
  opened: 'Der Schlüssel dieses Dienstes ist hier offen.',
  fingerprint: 'Fingerabdruck',
}

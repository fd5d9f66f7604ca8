import { start as ofTheSession } from '@sealpost/session/words/de'
import type { Words } from '../en/index.ts'

export const start: Words['start'] = {
  ...ofTheSession,
  welcome: {
    title: 'Ihre Daten, von Ihnen versiegelt',
    lead: 'Geben Sie Unternehmen, was sie brauchen, sehen Sie, wer was hat, und ändern Sie es an einer Stelle.',
    promises: [
      'Was Sie schreiben, wird auf diesem Gerät versiegelt. Öffnen kann es nur, wen Sie bestimmen. Sealpost kann es nicht.',
      'Wenn Sie umziehen, schreiben Sie die neue Adresse einmal. Alle, die sie wissen dürfen, bekommen sie.',
      'Sie können es mit einem Unternehmen oder mit allen beenden, wann immer Sie wollen.',
    ],
    begin: 'Beginnen',
    signIn: 'Ich habe ein Konto',
  },
}

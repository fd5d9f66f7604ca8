import { start as ofTheSession } from '@sealpost/session/words/de'
import type { Words } from '../en/index.ts'

const { register, locked, recovery } = ofTheSession

export const start: Words['start'] = {
  ...ofTheSession,
  register: {
    ...register,
    about: {
      ...register.about,
      title: 'Um welches Unternehmen geht es?',
      lead: 'Kunden sehen diesen Namen. Die E-Mail-Adresse meldet sich hier an und bekommt, was das ganze Konto betrifft.',
      name: 'Name des Unternehmens',
      nameProblem: 'Schreiben Sie den Namen, unter dem Kunden das Unternehmen kennen.',
      emailProblem: 'Schreiben Sie eine E-Mail-Adresse wie portal@unternehmen.example.',
      region: 'Wo sollen seine Daten liegen?',
      regionAbout: 'Versiegelt sind sie überall sicher. Kunden können sich von überall verbinden.',
    },
    password: {
      ...register.password,
      lead:
        'Dieser Browser macht jetzt zwei Schlüsselpaare. Das eine öffnet, was dem Unternehmen geschickt wird; das andere ' +
        'öffnet Kopien von Passphrasen, die Sie aufheben dürfen. Ihr Passwort versiegelt beide. Wir bekommen es nie und ' +
        'können es deshalb nicht zurücksetzen.',
    },
  },
  recovery: {
    ...recovery,
    lead:
      'Wir können es nicht zurücksetzen, weil wir die Schlüssel des Unternehmens nicht öffnen können. Dieser Code kann es. ' +
      'Bewahren Sie ihn auf, wo nur die Inhaberin des Kontos ihn findet: auf Papier im Tresor oder im Passwortmanager.',
  },
  locked: {
    ...locked,
    lead: 'Die Schlüssel des Unternehmens sind versiegelt. Sie öffnen sich mit dem, was nur Sie haben.',
  },
  signIn: { ...ofTheSession.signIn, create: 'Das Unternehmen ist neu hier' },
  welcome: {
    title: 'Was Kunden Ihnen geben, für Sie versiegelt',
    lead: 'Fragen Sie nach dem Nötigen, halten Sie es ohne zweite Frage aktuell und öffnen Sie es nur hier.',
    promises: [
      'Jeder Dienst hat einen eigenen Schlüssel, in diesem Browser gemacht. Sealpost bewahrt ihn versiegelt auf und kann ihn nicht öffnen.',
      'Wenn jemand umzieht, kommt die neue Adresse von selbst.',
      'Wer von Ihren Leuten was öffnen kann, steht an einer Stelle und endet mit einem Klick.',
    ],
    begin: 'Ein Unternehmen anmelden',
    signIn: 'Wir haben ein Konto',
  },
}

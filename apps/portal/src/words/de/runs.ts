import type { Words } from '../en/index.ts'

export const runs: Words['runs'] = {
  title: 'Abläufe',
  lead: 'Was Kunden und Sie gemeinsam ausfüllen. Antworten bleiben versiegelt, bis Sie sie öffnen.',
  empty: 'Noch kein Formular dieses Dienstes wurde begonnen.',
  flow: 'Formular',
  state: 'Stand',
  changed: 'Geändert',
  states: {
    waits: 'Wartet auf eine Antwort',
    making: 'Unterlagen werden gemacht',
    signing: 'Wartet auf Unterschriften',
    completed: 'Abgeschlossen',
    cancelled: 'Vorzeitig beendet',
  },
  run: 'Ein Ablauf',
  sealed: (answers) =>
    answers === 1
      ? 'Eine Antwort ist für diesen Dienst versiegelt.'
      : `${answers} Antworten sind für diesen Dienst versiegelt.`,
  answers: 'Antworten',
  by: (label, party) => `${label} · ${party}`,
  file: 'Eine Datei',
  unreadable: 'Das lässt sich nicht öffnen: Es wurde für einen anderen Schlüssel versiegelt oder unterwegs beschädigt.',
  nothing: 'Noch wurde nichts beantwortet.',
}

import { pluralOf } from '../plural.ts'
import type { DeskWords } from './desk-en.ts'

const plural = pluralOf('de')

export const deskWords: DeskWords = {
  main: 'Hauptbereich',
  skip: 'Zur Seite',
  find: 'Finden oder tun',
  findKeys: 'Strg K',
  switchCompany: 'Unternehmen wechseln',
  account: 'Ihr Konto',
  crumbs: 'Wo Sie sind',
  close: 'Schließen',
  copy: 'Kopieren',
  copied: 'Kopiert',
  copyFailed: 'Nicht kopiert: Markieren Sie es und kopieren Sie es von Hand',
  covered: 'verdeckt',
  show: 'Zeigen',
  hide: 'Verbergen',
  clear: 'Leeren',
  selectAll: 'Alle Zeilen auswählen',
  selectRow: (name) => `${name} auswählen`,
  selected: (count) => plural(count, { other: '# ausgewählt' }),
  clearSelection: 'Auswahl aufheben',
  more: 'Mehr zeigen',
  loadingMore: 'Mehr wird geholt …',
  rows: (count) => plural(count, { one: 'Die erste Zeile', other: 'Die ersten # Zeilen' }),
  slow: 'Das dauert länger als sonst.',
  done: 'Was getan wurde',
  drop: {
    here: 'Legen Sie eine Datei hier ab oder wählen Sie eine:',
    kind: 'Diese Art von Datei geht hier nicht. Wählen Sie eine andere.',
    tooLarge: (size) => `Diese Datei ist größer als ${size}. Wählen Sie eine kleinere.`,
  },
  range: {
    quick: 'Zeitraum',
    last: (days) => plural(days, { one: 'Heute', other: 'Letzte # Tage' }),
    from: 'Von',
    to: 'Bis',
    backwards: 'Das Ende liegt vor dem Anfang. Wählen Sie einen späteren Tag.',
  },
  palette: {
    title: 'Finden oder tun',
    placeholder: 'Name, Ort oder was Sie tun möchten',
    nothing: 'Nichts passt. Versuchen Sie andere Buchstaben.',
  },
}

/** The colour of a party: always the same one for the same id. */
export function partyOf(id: string, colours: number): number {
  let sum = 0
  for (const letter of id) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521
  return sum % colours
}

/** Two letters for a seal: of the first and the last word, or the first two of the only one. */
export function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  const [first = '', ...others] = words
  const letters = others.length === 0 ? lettersOf(first).slice(0, 2) : [first, others.at(-1) ?? ''].map(firstLetter)
  return letters.join('').toLocaleUpperCase()
}

function firstLetter(word: string): string {
  return lettersOf(word)[0] ?? ''
}

/** As people count them: a letter with its accents is one. */
function lettersOf(word: string): readonly string[] {
  return Array.from(new Intl.Segmenter().segment(word), ({ segment }) => segment)
}

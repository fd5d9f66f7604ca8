/**
 * Controls (C0, C1, line feeds), formats (direction, zero width) and letters without a shape. A terminal obeys some; others
 * turn the direction of the text around them, or hide what follows.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u{115f}\u{1160}\u{3164}\u{ffa0}]/gu

/**
 * A line as a terminal may show it. Names, values, messages and errors are texts of others: they must not steer the
 * terminal, and a line feed must not make a row. Every line passes here on its way out: see `run`.
 */
export function printable(line: string): string {
  return line.replaceAll(UNSEEN, '\u{fffd}')
}

/** The same document in other characters: JSON keeps its meaning when a character in a string is escaped. */
export function printableJson(document: string): string {
  return document.replaceAll(UNSEEN, (character) => {
    const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
  })
}

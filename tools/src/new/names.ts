/** A name in the forms of code, SQL and prose. */
export interface Names {
  readonly kebabs: string
  readonly kebab: string
  readonly snakes: string
  readonly snake: string
  readonly camels: string
  readonly camel: string
  readonly Pascals: string
  readonly Pascal: string
  readonly words: string
  readonly word: string
}

const MODULE = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/
const KEY = /^([a-z][a-z0-9_]*)\.([a-z][a-z0-9_]*)$/

/** `loyalty-cards`: a plural noun, the name of the module's folder. */
export function moduleNames(name: string): Names | null {
  if (!MODULE.test(name)) return null
  const many = name.split('-')
  const one = [...many.slice(0, -1), singular(many.at(-1) ?? '')]
  return {
    kebabs: name,
    kebab: one.join('-'),
    snakes: many.join('_'),
    snake: one.join('_'),
    camels: camel(many),
    camel: camel(one),
    Pascals: pascal(many),
    Pascal: pascal(one),
    words: many.join(' '),
    word: one.join(' '),
  }
}

/** `area.what`: an error key, or the id of an operation. */
export function splitKey(key: string): { readonly area: string; readonly what: string } | null {
  const [, area, what] = KEY.exec(key) ?? []
  return area === undefined || what === undefined ? null : { area, what }
}

/** `gadgets.archive` is `archiveGadgets`, `gadgets.read_owner` is `readGadgetsOwner`. */
export function operationName(area: string, what: string): string {
  const [verb = '', ...noun] = what.split('_')
  return camel([verb, ...area.split('_'), ...noun])
}

export function camel([first = '', ...rest]: readonly string[]): string {
  return first + pascal(rest)
}

export function pascal(words: readonly string[]): string {
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

function singular(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

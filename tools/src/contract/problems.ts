import type { KeyMention } from './find-keys.ts'

/** The four places that name error keys, as sets; the test reads them from the repository. */
export interface ErrorContract {
  readonly mentions: readonly KeyMention[]
  /** Key → area of `errorAreas`. */
  readonly catalog: ReadonlyMap<string, string>
  /** Area → the keys that nothing throws yet. */
  readonly unthrown: ReadonlyMap<string, readonly string[]>
  /** Keys that are thrown although no route answers with them yet. */
  readonly aheadOfRoutes: readonly string[]
  /** Operation id → the keys of its own `errors`. */
  readonly promised: ReadonlyMap<string, readonly string[]>
  /** Every key that some operation can answer, gates included. */
  readonly documented: ReadonlySet<string>
}

const LIST = 'pure/protocol/src/errors/unthrown.ts'

/** The contradictions between them, each with the line to move and its target. */
export function contractProblems(contract: ErrorContract): readonly string[] {
  return [
    ...unknownKeys(contract),
    ...thrownButListed(contract),
    ...neitherThrownNorListed(contract),
    ...listedWrongly(contract),
    ...thrownButUndocumented(contract),
    ...aheadWrongly(contract),
    ...promisedButUnthrown(contract),
  ]
}

function unknownKeys({ mentions, catalog }: ErrorContract): readonly string[] {
  return mentions
    .filter(({ key, isThrow }) => isThrow && !catalog.has(key))
    .map((mention) => `${place(mention)} throws '${mention.key}', which is not in the catalog: add it to its area`)
}

function thrownButListed(contract: ErrorContract): readonly string[] {
  return [...contract.unthrown].flatMap(([area, keys]) =>
    keys.flatMap((key) => {
      const mention = mentionOf(contract, key)
      return mention === undefined ? [] : [`${place(mention)} throws '${key}': remove it from '${area}' in ${LIST}`]
    }),
  )
}

function neitherThrownNorListed(contract: ErrorContract): readonly string[] {
  const listed = new Set([...contract.unthrown.values()].flat())
  return [...contract.catalog]
    .filter(([key]) => mentionOf(contract, key) === undefined && !listed.has(key))
    .map(([key, area]) => `nothing throws '${key}': throw it, or add it to '${area}' in ${LIST}`)
}

function listedWrongly({ catalog, unthrown }: ErrorContract): readonly string[] {
  return [...unthrown].flatMap(([area, keys]) =>
    keys
      .filter((key, index) => catalog.get(key) !== area || keys.indexOf(key) !== index)
      .map((key) => `'${key}' is listed under '${area}' in ${LIST} twice or in the wrong area: remove it there`),
  )
}

/** Any route can answer a generic error, so no operation has to list it. */
function thrownButUndocumented(contract: ErrorContract): readonly string[] {
  return [...contract.catalog].flatMap(([key, area]) => {
    const mention = mentionOf(contract, key)
    const isKnown = area === 'generic' || contract.documented.has(key) || contract.aheadOfRoutes.includes(key)
    if (mention === undefined || isKnown) return []
    const advice = `add it to \`errors\` of the operation or, while there is none, to keysAheadOfRoutes in ${LIST}`
    return [`${place(mention)} throws '${key}', but no operation lists it: ${advice}`]
  })
}

function aheadWrongly(contract: ErrorContract): readonly string[] {
  return contract.aheadOfRoutes
    .filter((key) => contract.documented.has(key) || mentionOf(contract, key) === undefined)
    .map((key) => `'${key}' is documented, or nothing throws it: remove it from keysAheadOfRoutes in ${LIST}`)
}

function promisedButUnthrown(contract: ErrorContract): readonly string[] {
  return [...contract.promised].flatMap(([operation, keys]) =>
    keys
      .filter((key) => mentionOf(contract, key) === undefined)
      .map((key) => `${operation} lists '${key}', but nothing throws it: throw it, or remove it from its \`errors\``),
  )
}

function mentionOf({ mentions }: ErrorContract, key: string): KeyMention | undefined {
  return mentions.find((mention) => mention.key === key)
}

function place({ file, line }: KeyMention): string {
  return `${file}:${line}`
}

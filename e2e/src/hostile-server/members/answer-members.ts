import { allOperations, errorCatalog, forwarderOperations } from '@sealpost/protocol'
import { type Kind, kindOf } from './vocabulary.ts'

/** A member of an answer that decides something for a client. */
export interface AnswerMember {
  /** Of the operation, or the key of an error that any operation may answer. */
  readonly answer: string
  /** As in `edit.ts`: `services.*.public_key`. */
  readonly path: string
  readonly name: string
  readonly kind: Kind
}

export interface SchemaWalk {
  readonly members: readonly AnswerMember[]
  /** Of all members, also of those that decide nothing. */
  readonly names: ReadonlySet<string>
}

/** All answers of all routes, and the further members of errors. */
export function walkAnswers(): SchemaWalk {
  const names = new Set<string>()
  const members = new Map<string, AnswerMember>()
  const enter = (answer: string, schema: unknown, at: readonly string[]): void => {
    for (const [step, below] of partsOf(schema)) {
      const path = step === null ? at : [...at, step]
      const isMember = step !== null && step !== EACH
      if (isMember) names.add(step)
      const kind = isMember ? kindOf(step) : null
      if (kind !== null && step !== null) {
        const place = path.join('.')
        members.set(`${answer} ${place}`, { answer, path: place, name: step, kind })
      }
      enter(answer, below, path)
    }
  }
  for (const { id, success } of [...allOperations, ...forwarderOperations])
    for (const schema of [success.body, success.jsonForm]) enter(id, schema, [])
  for (const [key, entry] of Object.entries(errorCatalog)) if ('details' in entry) enter(key, entry.details, [])
  return { members: [...members.values()].filter(isOutermost), names }

  /** What is inside of a definition is lied about with it. */
  function isOutermost({ answer, path }: AnswerMember): boolean {
    const steps = path.split('.')
    return !steps.some((_, at) => {
      const outer = members.get(`${answer} ${steps.slice(0, at).join('.')}`)
      return outer?.kind === 'definition'
    })
  }
}

const EACH = '*'

/** The schemas inside of one; null as the step of an alternative. */
function partsOf(schema: unknown): readonly (readonly [step: string | null, schema: unknown])[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { anyOf, oneOf, allOf, items, properties, patternProperties, additionalProperties }: Schema = { ...schema }
  const alternatives = [anyOf, oneOf, allOf].flatMap((list: unknown): readonly unknown[] =>
    Array.isArray(list) ? list : [],
  )
  return [
    ...alternatives.map((part) => [null, part] as const),
    ...[items, additionalProperties].map((part) => [EACH, part] as const),
    ...Object.values({ ...patternProperties }).map((part: unknown) => [EACH, part] as const),
    ...Object.entries({ ...properties }),
  ]
}

interface Schema {
  readonly anyOf?: unknown
  readonly oneOf?: unknown
  readonly allOf?: unknown
  readonly items?: unknown
  readonly properties?: object
  readonly patternProperties?: object
  readonly additionalProperties?: unknown
}

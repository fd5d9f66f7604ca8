import type { Dice } from '@sealpost/testkit/dice'
import { type Json, hostileText, hostileValue } from './atoms.ts'

/** A JSON schema, as the OpenAPI documents print them. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly Json[]
  readonly const?: Json
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly minItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly format?: string
  readonly pattern?: string
  readonly examples?: readonly Json[]
}

export type Definitions = Readonly<Record<string, Schema>>

/** How often a part of a value is replaced by another that its schema does not allow. */
const WRONG = 0.08
const DEEPEST = 8

/** A value that mostly follows the schema; recursive schemas end. */
export function valueOf(dice: Dice, schema: Schema, definitions: Definitions, depth = 0): Json {
  if (dice.chance(WRONG) || depth > DEEPEST) return hostileValue(dice)
  const resolved = resolve(schema, definitions)
  const choices = [...(resolved.anyOf ?? []), ...(resolved.oneOf ?? [])]
  const choice = choices[dice.below(choices.length)]
  if (choice !== undefined) return valueOf(dice, choice, definitions, depth + 1)
  if (resolved.const !== undefined) return resolved.const
  const list = resolved.enum ?? resolved.examples ?? []
  const listed = list[dice.below(list.length)]
  if (listed !== undefined) return listed
  switch (typeOf(dice, resolved)) {
    case 'object':
      return objectOf(dice, resolved, definitions, depth)
    case 'array':
      return Array.from({ length: (resolved.minItems ?? 0) + dice.below(3) }, () =>
        valueOf(dice, resolved.items ?? {}, definitions, depth + 1),
      )
    case 'integer':
    case 'number':
      return boundary(dice, resolved.minimum ?? 0, resolved.maximum ?? 1000)
    case 'boolean':
      return dice.chance(0.5)
    case 'null':
      return null
    default:
      return textOf(dice, resolved)
  }
}

function resolve(schema: Schema, definitions: Definitions): Schema {
  if (schema.$ref === undefined)
    return schema.allOf === undefined ? schema : schema.allOf.reduce((all, part) => ({ ...all, ...part }), {})
  return definitions[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] ?? {}
}

function typeOf(dice: Dice, { type, properties, items }: Schema): string {
  if (typeof type === 'string') return type
  if (type !== undefined) return dice.pick(type)
  if (properties !== undefined) return 'object'
  return items === undefined ? 'string' : 'array'
}

function objectOf(dice: Dice, schema: Schema, definitions: Definitions, depth: number): Json {
  const value: Record<string, Json> = {}
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const isWanted = schema.required?.includes(name) === true ? !dice.chance(WRONG) : dice.chance(0.6)
    if (isWanted) value[name] = valueOf(dice, member, definitions, depth + 1)
  }
  if (dice.chance(WRONG)) value[hostileText(dice)] = hostileValue(dice)
  const others = schema.additionalProperties
  if (typeof others === 'object') value[hostileText(dice)] = valueOf(dice, others, definitions, depth + 1)
  return value
}

function boundary(dice: Dice, low: number, high: number): number {
  return dice.pick([low, high, low - 1, high + 1, low + 0.5, Math.floor((low + high) / 2)])
}

function textOf(dice: Dice, { format, minLength = 0, maxLength = 40 }: Schema): string {
  if (format === 'uuid') return '0190c4f5-8a7b-7000-8000-000000000001'
  if (format === 'email') return 'ana@example.com'
  if (format === 'uri') return 'https://hooks.example/x'
  if (format === 'date-time') return '2026-01-01T00:00:00Z'
  const length = dice.pick([minLength, Math.min(maxLength, 65_536), minLength - 1, Math.min(maxLength, 65_536) + 1, 12])
  return 'a'.repeat(Math.max(0, length))
}

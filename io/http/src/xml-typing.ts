import type { TSchema } from 'typebox'
import { type XmlElement, XmlError } from './xml-parser.ts'

/** Every scalar as text: `''` for an empty element, which may have been null, `""`, `[]` or `{}`. */
export function untyped(node: XmlElement): unknown {
  if (node.children.length === 0) return node.text
  if (node.children.every((child) => child.name === 'item')) return node.children.map(untyped)
  return objectFrom(node, { of: () => null, declares: () => false }, {})
}

export function typeBySchema(node: XmlElement, schema: TSchema): unknown {
  const parts: SchemaParts = schema
  return convert(node, parts, parts.$defs ?? {})
}

/** The keywords of JSON Schema that decide how text is read. */
interface SchemaParts {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly SchemaParts[]
  readonly oneOf?: readonly SchemaParts[]
  readonly allOf?: readonly SchemaParts[]
  readonly items?: SchemaParts
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, SchemaParts>>
  readonly patternProperties?: Readonly<Record<string, SchemaParts>>
  readonly additionalProperties?: SchemaParts | boolean
  readonly $ref?: string
  readonly $defs?: Definitions
}

type Definitions = Readonly<Record<string, SchemaParts>>

function convert(node: XmlElement, schema: SchemaParts, definitions: Definitions): unknown {
  if (schema.$ref !== undefined) return convert(node, resolve(schema.$ref, definitions), definitions)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return convert(node, choose(node, choices, definitions), definitions)
  if (schema.enum !== undefined) return literal(node, schema.enum)
  if ('const' in schema) return literal(node, [schema.const])
  if (schema.type === 'array') return listFrom(node, schema.items ?? {}, definitions)
  if (isObject(schema)) return objectFrom(node, membersOf(schema, definitions), definitions)
  return scalar(node, typeof schema.type === 'object' ? typeAmong(node, schema.type) : schema.type)
}

function scalar(node: XmlElement, type: string | undefined): unknown {
  if (type === undefined) return untyped(node)
  if (!fitsScalar(node, type)) throw mismatch(node, type)
  if (type === 'null') return null
  if (type === 'boolean') return node.text === 'true'
  return type === 'string' ? node.text : Number(node.text)
}

/** An empty element is null where null is allowed. */
function typeAmong(node: XmlElement, types: readonly string[]): string {
  const fitting = types.filter((type) => fitsScalar(node, type))
  const [first] = fitting.includes('null') ? ['null'] : fitting
  if (first === undefined) throw mismatch(node, types.join(' or '))
  return first
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

function fitsScalar(node: XmlElement, type: string | readonly string[]): boolean {
  if (typeof type === 'object') return type.some((one) => fitsScalar(node, one))
  if (node.children.length > 0) return false
  if (type === 'null') return node.text === ''
  if (type === 'boolean') return node.text === 'true' || node.text === 'false'
  if (type === 'integer') return NUMBER.test(node.text) && Number.isInteger(Number(node.text))
  return type === 'string' || (type === 'number' && NUMBER.test(node.text))
}

function literal(node: XmlElement, allowed: readonly unknown[]): unknown {
  const found = allowed.find((value) => fitsLiteral(node, value))
  if (found === undefined) throw mismatch(node, 'one of the allowed values')
  return found
}

function fitsLiteral(node: XmlElement, value: unknown): boolean {
  const text = typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value)
  return node.children.length === 0 && node.text === text
}

function listFrom(node: XmlElement, items: SchemaParts, definitions: Definitions): unknown[] {
  if (!fitsList(node)) throw mismatch(node, 'a list')
  return node.children.map((child) => convert(child, items, definitions))
}

function fitsList(node: XmlElement): boolean {
  return node.text.trim() === '' && node.children.every((child) => child.name === 'item')
}

interface MemberSchemas {
  of(name: string): SchemaParts | null
  declares(name: string): boolean
}

function membersOf(schema: SchemaParts, definitions: Definitions): MemberSchemas {
  return {
    of: (name) => memberSchema(schema, name, definitions),
    declares: (name) => declaredMember(schema, name, definitions) !== null,
  }
}

function objectFrom(node: XmlElement, schemas: MemberSchemas, definitions: Definitions): object {
  if (node.text.trim() !== '') throw mismatch(node, 'an object')
  const members = new Map<string, unknown>()
  for (const child of node.children) {
    const { name, value } = namedMember(child, schemas)
    if (members.has(name)) throw mismatch(child, 'given once')
    const schema = schemas.of(name)
    members.set(name, schema === null ? untyped(value) : convert(value, schema, definitions))
  }
  return Object.fromEntries(members)
}

/** `<member>` carries a name that cannot be an element's, unless the schema itself has a member of that name. */
function namedMember(child: XmlElement, schemas: MemberSchemas): { readonly name: string; readonly value: XmlElement } {
  const [name, value] = child.children
  const isPair = child.children.length === 2 && name?.name === 'name' && value?.name === 'value'
  if (child.name !== 'member' || !isPair || schemas.declares('member')) return { name: child.name, value: child }
  return { name: name.text, value }
}

function isObject(schema: SchemaParts): boolean {
  return schema.type === 'object' || schema.allOf !== undefined
}

function memberSchema(schema: SchemaParts, name: string, definitions: Definitions): SchemaParts | null {
  return declaredMember(schema, name, definitions) ?? openMember(schema, name, definitions)
}

function declaredMember(schema: SchemaParts, name: string, definitions: Definitions): SchemaParts | null {
  if (schema.$ref !== undefined) return declaredMember(resolve(schema.$ref, definitions), name, definitions)
  if (Object.hasOwn(schema.properties ?? {}, name)) return schema.properties?.[name] ?? null
  return firstOf(schema.allOf, (part) => declaredMember(part, name, definitions))
}

function openMember(schema: SchemaParts, name: string, definitions: Definitions): SchemaParts | null {
  if (schema.$ref !== undefined) return openMember(resolve(schema.$ref, definitions), name, definitions)
  for (const [pattern, member] of Object.entries(schema.patternProperties ?? {})) {
    if (new RegExp(pattern, 'su').test(name)) return member
  }
  if (typeof schema.additionalProperties === 'object') return schema.additionalProperties
  return firstOf(schema.allOf, (part) => openMember(part, name, definitions))
}

function firstOf<Part, Found>(parts: readonly Part[] | undefined, find: (part: Part) => Found | null): Found | null {
  for (const part of parts ?? []) {
    const found = find(part)
    if (found !== null) return found
  }
  return null
}

function choose(node: XmlElement, choices: readonly SchemaParts[], definitions: Definitions): SchemaParts {
  const isEmpty = node.text === '' && node.children.length === 0
  const nothing = choices.find((choice) => choice.type === 'null')
  if (isEmpty && nothing !== undefined) return nothing
  const found = choices.find((choice) => fits(node, choice, definitions))
  if (found === undefined) throw mismatch(node, 'one of the allowed shapes')
  return found
}

/** Looks one level deep: enough to tell the members of a union apart by their kind, required members and literals. */
function fits(node: XmlElement, schema: SchemaParts, definitions: Definitions): boolean {
  if (schema.$ref !== undefined) return fits(node, resolve(schema.$ref, definitions), definitions)
  if (schema.anyOf !== undefined) return schema.anyOf.some((choice) => fits(node, choice, definitions))
  if (schema.enum !== undefined) return schema.enum.some((value) => fitsLiteral(node, value))
  if ('const' in schema) return fitsLiteral(node, schema.const)
  if (schema.type === 'array') return fitsList(node)
  if (!isObject(schema)) return schema.type === undefined || fitsScalar(node, schema.type)
  if (schema.allOf !== undefined) return schema.allOf.every((part) => fits(node, part, definitions))
  return node.text.trim() === '' && (schema.required ?? []).every((name) => hasMember(node, name, schema))
}

function hasMember(node: XmlElement, name: string, schema: SchemaParts): boolean {
  const child = node.children.find((candidate) => candidate.name === name)
  const member = schema.properties?.[name]
  if (child === undefined || member === undefined) return child !== undefined
  return 'const' in member ? fitsLiteral(child, member.const) : true
}

function resolve(reference: string, definitions: Definitions): SchemaParts {
  const found = definitions[reference.replace('#/$defs/', '')]
  if (found === undefined) throw new Error(`the schema refers to ${reference}, which it does not define`)
  return found
}

function mismatch(node: XmlElement, wanted: string): XmlError {
  return new XmlError(`<${node.name}> is not ${wanted}`)
}

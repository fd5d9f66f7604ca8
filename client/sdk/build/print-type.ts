type Schema = Readonly<Record<string, unknown>>

/** Prints a JSON Schema as a TypeScript type. Throws for an unknown schema: a guessed type would be wrong for users. */
export function printType(schema: unknown): string {
  if (!isSchema(schema)) throw new TypeError(`not a schema: ${JSON.stringify(schema)}`)
  if (Array.isArray(schema['enum'])) return union(schema['enum'].map(printLiteral))
  if ('const' in schema) return printLiteral(schema['const'])
  const choices = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(choices)) return union(choices.map(printType))
  if (Array.isArray(schema['allOf'])) return schema['allOf'].map(printType).join(' & ')
  const { type } = schema
  if (Array.isArray(type)) return union(type.map((name: unknown) => printType({ ...schema, type: name })))
  if (typeof type === 'string') return printNamed(type, schema)
  if (Object.keys(schema).every((keyword) => ANNOTATIONS.has(keyword))) return 'unknown'
  throw new TypeError(`no TypeScript type is known for ${JSON.stringify(schema)}; extend build/print-type.ts`)
}

const ANNOTATIONS = new Set(['title', 'description', 'examples', 'default', 'deprecated'])

function printNamed(type: string, schema: Schema): string {
  if (type === 'integer') return 'number'
  if (type === 'string' || type === 'number' || type === 'boolean' || type === 'null') return type
  if (type === 'array') return `readonly (${printType(schema['items'] ?? {})})[]`
  if (type === 'object') return printObject(schema)
  throw new TypeError(`the JSON Schema type ${JSON.stringify(type)} is unknown`)
}

function printObject(schema: Schema): string {
  const { properties, patternProperties, additionalProperties } = schema
  const hasMembers = isSchema(properties) && Object.keys(properties).length > 0
  if (hasMembers) return printMembers(properties, requiredMembers(schema))
  if (isSchema(patternProperties)) return printRecord(union(Object.values(patternProperties).map(printType)))
  return printRecord(isSchema(additionalProperties) ? printType(additionalProperties) : 'unknown')
}

function printRecord(value: string): string {
  return `{ readonly [name: string]: ${value} }`
}

function printMembers(properties: Schema, required: readonly string[]): string {
  const members = Object.entries(properties).map(([name, schema]) => {
    const about = isSchema(schema) && typeof schema['description'] === 'string' ? comment(schema['description']) : ''
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
    return `${about}readonly ${key}${required.includes(name) ? '' : '?'}: ${printType(schema)}\n`
  })
  return `{\n${members.join('')}}`
}

export function requiredMembers(schema: unknown): readonly string[] {
  const required = isSchema(schema) ? schema['required'] : undefined
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}

export function comment(text: string): string {
  return `/** ${text.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ').trim()} */\n`
}

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)]
  // A string literal is redundant beside `string`.
  const isNeeded = (type: string) => !distinct.includes('string') || !type.startsWith('"')
  return distinct.filter(isNeeded).join(' | ')
}

function printLiteral(value: unknown): string {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return JSON.stringify(value)
  throw new TypeError(`${JSON.stringify(value)} cannot be a literal type`)
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

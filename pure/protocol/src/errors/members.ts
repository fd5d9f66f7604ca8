type SchemaNode = Readonly<Record<string, unknown>>

/** One line per member of an object schema: its name and a description. */
export function describeMembers(schema: { readonly properties: object }): string[] {
  return Object.entries(schema.properties).map(([name, member]) => `\`${name}\`: ${describe(member)}`)
}

function describe(schema: unknown): string {
  if (!isNode(schema)) return 'anything'
  const { description, enum: choices, items, properties, title, type } = schema
  if (Array.isArray(choices)) return `one of ${choices.map((choice) => `\`${String(choice)}\``).join(', ')}`
  if (type === 'array') return `a list, each ${describe(items)}`
  if (isNode(properties)) return `\`{${Object.keys(properties).join(', ')}}\``
  if (typeof title === 'string') return PHRASES[title] ?? title
  return typeof description === 'string' ? description : 'text'
}

const PHRASES: Readonly<Record<string, string>> = {
  Sha256: 'a SHA-256 digest in lower-case hex',
  Timestamp: 'a timestamp',
  Uuid: 'an id',
}

function isNode(value: unknown): value is SchemaNode {
  return typeof value === 'object' && value !== null
}

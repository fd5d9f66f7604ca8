export interface Match<Name extends string> {
  readonly name: Name
  readonly params: Readonly<Record<string, string>>
}

/** The first page of the table whose path fits; `:name` stands for one part. */
export function matchRoute<Name extends string>(
  table: Readonly<Record<Name, string>>,
  path: string,
): Match<Name> | null {
  const parts = path.split('/')
  for (const name of namesOf(table)) {
    const params = paramsOf(table[name].split('/'), parts)
    if (params !== null) return { name, params }
  }
  return null
}

function paramsOf(wanted: readonly string[], parts: readonly string[]): Readonly<Record<string, string>> | null {
  if (wanted.length !== parts.length) return null
  const params: Record<string, string> = {}
  for (const [at, part] of wanted.entries()) {
    const given = parts[at] ?? ''
    if (part.startsWith(':')) params[part.slice(1)] = decode(given)
    else if (part !== given) return null
  }
  return params
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function namesOf<Name extends string>(table: Readonly<Record<Name, string>>): readonly Name[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type of Object.keys forgets the names of the table
  return Object.keys(table) as Name[]
}

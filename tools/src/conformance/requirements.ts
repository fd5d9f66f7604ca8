import { CAPABILITIES, type Capability, capabilitiesUpTo, parseCapability } from './capabilities.ts'

/** One testable rule: a line of docs/requirements.tsv. */
export interface Requirement {
  readonly id: string
  readonly area: string
  readonly text: string
  readonly since: Capability
}

export interface Selection {
  /** Null: every area. */
  readonly areas: readonly string[] | null
  /** Null: however late. */
  readonly since: Capability | null
}

const COLUMNS = ['id', 'doc', 'section', 'area', 'requirement', 'since']

export function parseRequirements(tsv: string): readonly Requirement[] {
  const [heading = '', ...lines] = tsv.split('\n').filter((line) => line !== '')
  if (heading !== COLUMNS.join('\t'))
    throw new Error(`docs/requirements.tsv must have the columns ${COLUMNS.join(', ')}`)
  const requirements = lines.map(parseLine)
  const ids = new Set<string>()
  for (const { id } of requirements) {
    if (ids.has(id)) throw new Error(`docs/requirements.tsv has two rules called ${id}`)
    ids.add(id)
  }
  return requirements
}

export function select(requirements: readonly Requirement[], { areas, since }: Selection): readonly Requirement[] {
  const unknown = (areas ?? []).filter((area) => !requirements.some((requirement) => requirement.area === area))
  if (unknown.length > 0) throw new Error(`no rule is in the area ${unknown.join(', ')}`)
  const reached = since === null ? CAPABILITIES : capabilitiesUpTo(since)
  return requirements.filter(
    (requirement) => (areas === null || areas.includes(requirement.area)) && reached.includes(requirement.since),
  )
}

function parseLine(line: string): Requirement {
  const [id, , , area, text, sinceText] = line.split('\t')
  const since = parseCapability(sinceText ?? '')
  if (id === undefined || area === undefined || text === undefined || since === null)
    throw new Error(`docs/requirements.tsv cannot be read at "${line.slice(0, 60)}": since must be a known capability`)
  return { id, area, text, since }
}

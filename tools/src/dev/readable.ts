const LEFT_OUT = new Set(['level', 'time', 'service', 'version', 'instance', 'msg', 'err'])

/**
 * Formats a JSON log line: level, message and the relevant members; an entry of level `error` is followed by its stack
 * trace, line by line.
 */
export function readable(line: string): readonly string[] {
  const entry = parseEntry(line)
  if (entry === null) return [line]
  const members = Object.entries(entry).filter(([key]) => !LEFT_OUT.has(key))
  const extra = members.map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const isError = entry['level'] === 'error'
  const level = entry['level'] === 'info' ? [] : [String(entry['level']).toUpperCase()]
  const { message, trace } = describe(entry['err'])
  return [[...level, String(entry['msg']), ...extra, ...message].join(' '), ...(isError ? trace : [])]
}

interface Described {
  readonly message: readonly string[]
  readonly trace: readonly string[]
}

function describe(err: unknown): Described {
  if (typeof err !== 'object' || err === null) return { message: typeof err === 'string' ? [err] : [], trace: [] }
  const { message, stack, ...rest } = { message: '', stack: '', ...err }
  const members = Object.entries(rest).map(([key, value]) => `${key}=${String(value)}`)
  const lines = stack.split('\n').map((each) => each.trim())
  return { message: [`(${[message, ...members].join(' ')})`], trace: lines.filter((each) => each !== '') }
}

function parseEntry(line: string): Record<string, unknown> | null {
  try {
    const entry: unknown = JSON.parse(line)
    return typeof entry === 'object' && entry !== null && 'msg' in entry ? { ...entry } : null
  } catch {
    return null
  }
}

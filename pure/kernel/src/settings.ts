import { Secret } from './secret.ts'

/** One setting: how its text is parsed, its default, and the sentence that `docs/settings.md` prints. */
export interface Setting<T> {
  readonly kind: string
  readonly about: string
  /** The text used when the environment has none; null means the setting must be given. */
  readonly fallback: string | null
  readonly isSecret: boolean
  parse(text: string): T
}

export type SettingsTable = Readonly<Record<string, Setting<unknown>>>
export type Settings<Table extends SettingsTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Setting<infer T> ? T : never
}

export class SettingsError extends Error {
  override readonly name = 'SettingsError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`settings cannot be used:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

/** Reads a whole table at once and reports every problem together, so that an operator can fix them at once. */
export function readSettings<Table extends SettingsTable>(
  table: Table,
  environment: Readonly<Record<string, string | undefined>>,
): Settings<Table> {
  const values: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [name, setting] of Object.entries(table)) {
    const text = environment[name] ?? setting.fallback
    if (text === null || text === undefined) {
      problems.push(`${name} is missing (${setting.about})`)
      continue
    }
    try {
      values[name] = setting.parse(text)
    } catch (error) {
      const shown = setting.isSecret ? 'its value' : JSON.stringify(text)
      problems.push(`${name}: ${shown} is not ${setting.kind}${error instanceof Error ? ` (${error.message})` : ''}`)
    }
  }
  if (problems.length > 0) throw new SettingsError(problems)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one value per name of the table, each from its parser
  return values as Settings<Table>
}

interface About {
  readonly about: string
  readonly fallback?: string
}

export function textSetting({ about, fallback }: About): Setting<string> {
  return { kind: 'text', about, fallback: fallback ?? null, isSecret: false, parse: (text) => text }
}

export function listSetting({ about, fallback }: About): Setting<readonly string[]> {
  return {
    kind: 'a comma-separated list',
    about,
    fallback: fallback ?? null,
    isSecret: false,
    parse: (text) =>
      text
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
  }
}

interface Bounds {
  readonly min?: number
  readonly max?: number
}

export function integerSetting({ about, fallback, min = 0, max }: About & Bounds): Setting<number> {
  return {
    kind: max === undefined ? `a whole number of at least ${min}` : `a whole number from ${min} to ${max}`,
    about,
    fallback: fallback ?? null,
    isSecret: false,
    parse: (text) => {
      const value = Number(text)
      const isInside = value >= min && value <= (max ?? Number.MAX_SAFE_INTEGER)
      if (!/^\d+$/.test(text) || !isInside) throw new Error('out of range')
      return value
    },
  }
}

/** A base address: paths are appended unchanged, so it has none of its own and no trailing slash. */
export function urlSetting({ about, fallback }: About): Setting<string> {
  return {
    kind: 'an http or https address without a path',
    about,
    fallback: fallback ?? null,
    isSecret: false,
    parse: (text) => {
      const fault = urlFault(text)
      if (fault !== null) throw new Error(fault)
      return text
    },
  }
}

const HOST = /^(?:\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)$/i

function urlFault(text: string): string | null {
  const afterScheme = /^https?:\/\/(.*)$/s.exec(text)?.[1]
  if (afterScheme === undefined) return 'it must begin with http:// or https://'
  const [authority = '', ...behind] = afterScheme.split(/(?=[/?#])/)
  if (authority.includes('@')) return 'leave out the user name'
  if (behind.length > 0 && authority !== '')
    return behind.join('') === '/' ? 'leave out the slash at its end' : 'leave out everything behind the host and port'
  const [, host = authority, port] = /^(.*):(\d+)$/s.exec(authority) ?? []
  if (!HOST.test(host)) return 'its host cannot be read'
  return port === undefined || (Number(port) >= 1 && Number(port) <= 65_535)
    ? null
    : 'its port is not between 1 and 65535'
}

const SWITCHES: ReadonlySet<string> = new Set(['0', '1', 'false', 'true'])

export function switchSetting({ about, fallback }: About): Setting<boolean> {
  return {
    kind: '0, 1, false or true',
    about,
    fallback: fallback ?? null,
    isSecret: false,
    parse: (text) => {
      if (!SWITCHES.has(text)) throw new Error('unknown choice')
      return text === '1' || text === 'true'
    },
  }
}

export function choiceSetting<const Choice extends string>(
  { about, fallback }: About,
  choices: readonly Choice[],
): Setting<Choice> {
  return {
    kind: `one of ${choices.join(', ')}`,
    about,
    fallback: fallback ?? null,
    isSecret: false,
    parse: (text) => {
      const found = choices.find((choice) => choice === text)
      if (found === undefined) throw new Error('unknown choice')
      return found
    },
  }
}

export function secretSetting({ about, fallback }: About): Setting<Secret<string>> {
  return { kind: 'a secret', about, fallback: fallback ?? null, isSecret: true, parse: (text) => new Secret(text) }
}

/** A setting with its own parser, for types that the plain kinds do not cover. */
export function customSetting<T>(
  { about, fallback }: About,
  kind: string,
  parse: (text: string) => T,
  isSecret = false,
): Setting<T> {
  return { kind, about, fallback: fallback ?? null, isSecret, parse }
}

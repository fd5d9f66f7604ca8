/** A test as vitest reports it: its full name contains the ids of the rules it shows. */
export interface TestOutcome {
  readonly name: string
  /** False when a test, a hook or the import of its file failed: what the file shows is not reliable then. */
  readonly isFilePassing: boolean
  readonly hasPassed: boolean
  readonly hasFailed: boolean
}

export interface TestCounts {
  readonly passed: number
  readonly failed: number
}

interface Report {
  readonly outcomes: readonly TestOutcome[]
  /** Files that failed before their tests could run; each counts as one failure. */
  readonly brokenFiles: readonly string[]
}

/** Reads the file that vitest's JSON reporter writes. */
export function parseResults(json: string): Report {
  const files = filesOf(json)
  const outcomes = files.flatMap((file) =>
    listOf(file['assertionResults']).map((test) => parseOutcome(recordOf(test), file['status'] === 'passed')),
  )
  const brokenFiles = files
    .filter((file) => file['status'] === 'failed' && listOf(file['assertionResults']).length === 0)
    .map((file) => String(file['name']))
  return { outcomes, brokenFiles }
}

export function countTests({ outcomes, brokenFiles }: Report): TestCounts {
  return {
    passed: outcomes.filter((outcome) => outcome.hasPassed).length,
    failed: outcomes.filter((outcome) => outcome.hasFailed).length + brokenFiles.length,
  }
}

/** The files in which a test, a hook or the import failed. */
export function failedFiles(json: string): readonly string[] {
  return filesOf(json)
    .filter((file) => file['status'] !== 'passed')
    .map((file) => String(file['name']))
}

/** The first results, with those of the second run for the files that it has. */
export function replaceResults(first: string, second: string): string {
  const later = new Map(filesOf(second).map((file) => [file['name'], file]))
  const testResults = filesOf(first).map((file) => later.get(file['name']) ?? file)
  return JSON.stringify({ ...recordOf(JSON.parse(first)), testResults })
}

/** The results of several runs as one. A file may be in one of them only: the same test must not count twice. */
export function joinResults(runs: readonly string[]): string {
  const testResults = runs.flatMap(filesOf)
  const names = testResults.map((file) => String(file['name']))
  const twice = names.find((name, place) => names.indexOf(name) !== place)
  if (twice !== undefined) throw new Error(`${twice} is in the results of two runs`)
  return JSON.stringify({ testResults })
}

/** The files that have results. */
export function testedFiles(json: string): readonly string[] {
  return filesOf(json).map((file) => String(file['name']))
}

/** `a test [FEED-01] [FEED-02, HOOK-03]` names three rules. */
export function ruleIds(testName: string): readonly string[] {
  return [...testName.matchAll(/\[([A-Z]+-\d+(?:, *[A-Z]+-\d+)*)\]/g)].flatMap(([, list = '']) => list.split(/, */))
}

function filesOf(json: string): readonly Readonly<Record<string, unknown>>[] {
  const files = listOf(recordOf(JSON.parse(json))['testResults']).map(recordOf)
  if (!files.every((file) => 'name' in file && 'status' in file)) throw notResults()
  return files
}

function parseOutcome(test: Readonly<Record<string, unknown>>, isFilePassing: boolean): TestOutcome {
  return {
    name: String(test['fullName']),
    isFilePassing,
    hasPassed: test['status'] === 'passed',
    hasFailed: test['status'] === 'failed',
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw notResults()
  return { ...value }
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw notResults()
  return value
}

function notResults(): Error {
  return new Error('this is not a file of vitest’s JSON reporter')
}

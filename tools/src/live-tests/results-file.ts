/** A file of vitest's JSON reporter, as far as files are exchanged in it. */
interface Results {
  readonly testResults: readonly FileResult[]
}

interface FileResult {
  readonly name: string
  readonly status: string
}

export function failedFiles(json: string): readonly string[] {
  return parse(json)
    .testResults.filter(({ status }) => status !== 'passed')
    .map(({ name }) => name)
}

/** The first results, with those of the second run for the files that it has. */
export function replaceResults(first: string, second: string): string {
  const later = new Map(parse(second).testResults.map((result) => [result.name, result]))
  const results = parse(first)
  return JSON.stringify({ ...results, testResults: results.testResults.map((each) => later.get(each.name) ?? each) })
}

function parse(json: string): Results {
  const value: unknown = JSON.parse(json)
  if (!isResults(value)) throw new Error('this is not a file of vitest’s JSON reporter')
  return value
}

function isResults(value: unknown): value is Results {
  if (typeof value !== 'object' || value === null || !('testResults' in value)) return false
  return Array.isArray(value.testResults) && value.testResults.every(isFileResult)
}

function isFileResult(value: unknown): value is FileResult {
  return typeof value === 'object' && value !== null && 'name' in value && 'status' in value
}

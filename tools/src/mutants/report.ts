import type { Mutant } from './find-mutants.ts'

/** `unreached`: no unit test imports the file. */
export type Outcome = 'killed' | 'timeout' | 'survived' | 'unreached'

export interface Verdict {
  readonly mutant: Pick<Mutant, 'file' | 'line' | 'kind' | 'original' | 'replacement'>
  readonly outcome: Outcome
}

export function isKilled(outcome: Outcome): boolean {
  return outcome === 'killed' || outcome === 'timeout'
}

export function formatSurvivor({ mutant, outcome }: Verdict): string | null {
  if (isKilled(outcome)) return null
  const { file, line, kind, original, replacement } = mutant
  return `${file}:${line} ${outcome} ${kind}: ${oneLine(original)} -> ${oneLine(replacement)}`
}

/** One line per folder, the worst first; then the whole. */
export function formatSummary(verdicts: readonly Verdict[]): readonly string[] {
  const folders = Map.groupBy(verdicts, ({ mutant }) => mutant.file.slice(0, mutant.file.lastIndexOf('/')))
  const lines = [...folders]
    .map(([folder, those]) => ({ folder, those, rate: rateOf(those) }))
    .toSorted((a, b) => a.rate - b.rate)
    .map(({ folder, those }) => `${formatCounts(those)}  ${folder}`)
  return [...lines, `${formatCounts(verdicts)}  all; the survivors are in .local/mutants/survivors.txt`]
}

function formatCounts(verdicts: readonly Verdict[]): string {
  const unreached = verdicts.filter(({ outcome }) => outcome === 'unreached').length
  const killed = verdicts.filter(({ outcome }) => isKilled(outcome)).length
  const note = unreached > 0 ? `, ${unreached} reached by no unit test` : ''
  return `${rateOf(verdicts).toFixed(1).padStart(5)} % killed: ${killed} of ${verdicts.length}${note}`
}

function rateOf(verdicts: readonly Verdict[]): number {
  return (100 * verdicts.filter(({ outcome }) => isKilled(outcome)).length) / verdicts.length
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/gv, ' ')
  return line.length > 100 ? `${line.slice(0, 100)}…` : line
}

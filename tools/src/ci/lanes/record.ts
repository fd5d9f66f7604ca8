import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The last green run of each lane; developers commit it. */
const FILE = 'docs/ci-lanes.tsv'
const COLUMNS = ['lane', 'commit', 'date'] as const

export interface GreenRun {
  readonly commit: string
  /** `2026-11-18` */
  readonly date: string
}

export type LaneRecord = ReadonlyMap<string, GreenRun>

export function readRecord(root: string): LaneRecord {
  return parseRecord(readFileSync(join(root, FILE), 'utf8'))
}

export function writeRecord(root: string, record: LaneRecord): void {
  writeFileSync(join(root, FILE), formatRecord(record))
}

export function parseRecord(text: string): LaneRecord {
  const [heading, ...lines] = text.split('\n').filter((line) => line !== '')
  if (heading !== COLUMNS.join('\t')) throw new Error(`${FILE} must have the columns ${COLUMNS.join(', ')}`)
  return new Map(lines.map(parseLine))
}

export function formatRecord(record: LaneRecord): string {
  const names = [...record.keys()].toSorted()
  const lines = names.map((name) => [name, record.get(name)?.commit, record.get(name)?.date].join('\t'))
  return `${[COLUMNS.join('\t'), ...lines].join('\n')}\n`
}

function parseLine(line: string): readonly [string, GreenRun] {
  const [, lane, commit, date] = /^([^\t]+)\t([0-9a-f]{7,40})\t(\d{4}-\d\d-\d\d)$/.exec(line) ?? []
  if (lane === undefined || commit === undefined || date === undefined)
    throw new Error(`${FILE} cannot be read at "${line}": a line is a lane, a commit and a date, with tabs`)
  return [lane, { commit, date }]
}

import { randomInt } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { corpusFiles } from '@sealpost/pdf/testing'
import Type from 'typebox'
import Value from 'typebox/value'
import { judge, judgeFile, type Verdict } from './run.ts'
import { openViewers, type Viewer } from './viewers/index.ts'

const FOLDER = join(import.meta.dirname, '../../../.local/pdf-differential')
const KEPT_EVERY = 50
/** The same page, drawn by three viewers, differs by its fonts, edges and enlarged pictures: honest files by 0.242. */
const BAR = 0.27
/** Accepted with a reason: SECURITY.md and docs/pdf.md. */
const KNOWN = new Set(['words in a font of the viewer'])

const Progress = Type.Object({
  done: Type.Integer(),
  accepted: Type.Integer(),
  known: Type.Integer(),
  refusals: Type.Record(Type.String(), Type.Integer()),
  /** By kind. */
  findings: Type.Record(Type.String(), Type.Integer()),
})
type Progress = Type.Static<typeof Progress>

/**
 * `npm run pdf-differential -- [--count N] [--seed S]`: files that try to mean two things. Each one that the gate accepts
 * is drawn by pdf.js, Poppler and PDFium, for a screen and for paper, and must look the same. The same seed goes on where
 * an interrupted run stopped. `-- --honest` draws the files of known programs instead, which calibrate the bar.
 */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { count: { type: 'string' }, seed: { type: 'string' }, honest: { type: 'boolean', default: false } },
  })
  const viewers = await openViewers()
  try {
    if (values.honest) return await drawHonest(viewers)
    return await drawHostile(viewers, Number(values.seed ?? randomInt(2 ** 20)), Number(values.count ?? 2000))
  } finally {
    await Promise.all(viewers.map((viewer) => viewer.close()))
  }
}

async function drawHonest(viewers: readonly Viewer[]): Promise<number> {
  let largest = 0
  for (const { name, bytes } of corpusFiles()) {
    const { refusal, distance, between } = await judge(viewers, bytes)
    console.log(`${name}: ${refusal ?? `${distance.toFixed(3)} ${between}`}`)
    largest = Math.max(largest, distance)
  }
  console.log(`pdf-differential: honest largest=${largest.toFixed(3)} bar=${BAR}`)
  return largest < BAR ? 0 : 1
}

async function drawHostile(viewers: readonly Viewer[], seed: number, count: number): Promise<number> {
  const file = join(FOLDER, `${seed}.json`)
  mkdirSync(FOLDER, { recursive: true })
  const progress = readProgress(file)
  console.log(`${count} files, --seed ${seed}${progress.done > 0 ? `, of which ${progress.done} are done` : ''}`)
  while (progress.done < count) {
    const verdict = await judgeFile(viewers, seed, progress.done)
    report(verdict, `${seed}-${progress.done}`, progress)
    progress.done += 1
    if (progress.done % KEPT_EVERY !== 0) continue
    writeFileSync(file, JSON.stringify(progress))
    console.log(`  ${progress.done} files, ${progress.accepted} accepted`)
  }
  rmSync(file, { force: true })
  const findings = Object.values(progress.findings).reduce((sum, times) => sum + times, 0)
  const figures = [
    `seed=${seed}`,
    `files=${count}`,
    `accepted=${progress.accepted}`,
    `known=${progress.known}`,
    `findings=${findings}`,
  ]
  for (const [kind, times] of Object.entries(progress.findings)) console.log(`  ${kind}: ${times}`)
  console.log(`pdf-differential: ${figures.join(' ')}`)
  return findings === 0 ? 0 : 1
}

function report({ kind, refusal, distance, between, bytes }: Verdict, name: string, progress: Progress): void {
  if (refusal !== null) {
    progress.refusals[refusal] = (progress.refusals[refusal] ?? 0) + 1
    return
  }
  progress.accepted += 1
  if (distance < BAR) return
  if (KNOWN.has(kind)) {
    progress.known += 1
    return
  }
  progress.findings[kind] = (progress.findings[kind] ?? 0) + 1
  const path = join(FOLDER, `${name}.pdf`)
  writeFileSync(path, bytes)
  console.log(`${kind}: ${between} differ by ${distance.toFixed(2)}; ${path}`)
}

function readProgress(file: string): Progress {
  if (!existsSync(file)) return { done: 0, accepted: 0, known: 0, refusals: {}, findings: {} }
  return Value.Parse(Progress, JSON.parse(readFileSync(file, 'utf8')))
}

process.exit(await main())

import type { FlowRun, OpenedAnswer } from '@sealpost/sdk'
import { columns } from '../help.ts'
import { type RunStep, stepsOf } from './run-steps.ts'

type Opened = Readonly<Record<string, OpenedAnswer>>

const MARKS = { done: '[x]', current: '[>]', open: '[ ]' } as const

/** The state of a run, its parties and its steps as text; with the answers, if they were opened. */
export function drawRun(run: FlowRun, opened: Opened | null): readonly string[] {
  const facts: readonly (readonly [string, string | null])[] = [
    ['status', run.status],
    ['cancelled', cancelText(run)],
    ['flow', `${run.flow_id}, version ${run.flow_version}, ${run.output_mode}`],
    ['started', run.created_at],
    ['changed', run.updated_at],
    ['data deleted', run.data_deleted_at],
  ]
  return [
    run.id,
    ...columns(facts.flatMap(([left, right]) => (right === null ? [] : [[left, right] as const]))),
    '',
    'parties',
    ...columns(run.parties.map((party) => [party.key, partyText(run, party)] as const)),
    '',
    'steps',
    ...drawSteps(run, opened),
  ]
}

function cancelText({ cancelled_by: by, cancelled_at: at, cancel_reason: reason }: FlowRun): string | null {
  if (by === null) return null
  return `by ${by}, ${at ?? ''}${reason === null ? '' : `: ${reason}`}`
}

function partyText(run: FlowRun, { key, label }: FlowRun['parties'][number]): string {
  const turn = run.status === `awaiting_${key}` ? '  <- its turn' : ''
  const connection = run.participants.find(({ party_key: own }) => own === key)?.connection_id ?? null
  return `${label}  ${connection === null ? 'the company' : `connection ${connection}`}${turn}`
}

function drawSteps(run: FlowRun, opened: Opened | null): readonly string[] {
  const steps = stepsOf(run)
  const width = Math.max(0, ...steps.map(({ key }) => key.length))
  return steps.flatMap((step) => [
    `  ${MARKS[step.state]} ${step.key.padEnd(width)}  ${step.party}: ${step.title}`.trimEnd(),
    ...step.slugs.map((slug) => `        ${slug}${answerText(run, opened, slug)}`),
    ...nextLines(step).map((line) => `        ${line}`),
  ])
}

function answerText({ answers, private_slugs: privates }: FlowRun, opened: Opened | null, slug: string): string {
  // Before the answer, which could otherwise end like it.
  const mark = privates.includes(slug) ? ' (private)' : ''
  if (!answers.some((answer) => answer.slug === slug)) return ''
  const answer = opened?.[slug]
  if (answer === undefined) return `${mark}: sealed`
  if (answer.kind === 'file') return `${mark}: a file`
  if (answer.kind === 'unreadable') return `${mark}: cannot be opened: ${answer.message}`
  return `${mark}: ${answer.text}`
}

function nextLines({ next }: RunStep): readonly string[] {
  if (next.length === 0) return ['-> end']
  const lines = next.map(({ to, condition }) => `-> ${to}${condition === null ? '' : ` if ${condition}`}`)
  return next.some(({ condition }) => condition === null) ? lines : [...lines, '-> end otherwise']
}

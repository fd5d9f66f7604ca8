import { templatePdf, textAt } from '@sealpost/pdf-format/testing'
import { type Answer, dataUri, flowAuthor, sealTo, type Service, startWorld } from '@sealpost/testkit'
import { openDice } from '@sealpost/testkit/dice'
import { newKey, RUNS } from '../model/signing/hand-over.ts'
import { type Cost, measured } from './probe.ts'
import { type HostileCase, randomCase } from './random-case.ts'

/** The bars: of one task of the main thread, and of the memory of one call. */
const MOST_MS = 150
const MOST_MB = 200

export interface HostileRun {
  readonly findings: readonly string[]
  /** Calls by step and status. */
  readonly statuses: Readonly<Record<string, number>>
  readonly worst: Readonly<Record<string, Cost>>
}

interface Stage {
  readonly service: Service
  readonly customer: { readonly connectionId: string; readonly userId: string; readonly publicKey: string }
}

/** Takes each case through import, save, validate, publish, start, turn and generate, as far as it is accepted. */
export async function runHostileDefinitions(
  { seed, count }: { readonly seed: number; readonly count: number },
  onProgress: (done: number) => void,
): Promise<HostileRun> {
  const world = await startWorld()
  try {
    const service = await world.service([{ slug: 'name' }])
    const { person, connectionId } = await world.customer(service)
    const { userId, keys } = person.user
    const report = openReport()
    const stage: Stage = { service, customer: { connectionId, userId, publicKey: keys.publicKey } }
    // The first calls of a process load code, which is no cost of a definition.
    await playCase(
      stage,
      { kind: 'warm', values: { nick: 'x' }, definition: randomCase(openDice(0)).definition },
      openReport(),
    )
    for (let index = 0; index < count; index += 1) {
      await playCase(stage, randomCase(openDice(seed * 1_000_003 + index)), report, index)
      onProgress(index + 1)
    }
    return report.result()
  } finally {
    await world.close()
  }
}

type Report = ReturnType<typeof openReport>

function openReport() {
  const findings: string[] = []
  const statuses: Record<string, number> = {}
  const worst: Record<string, Cost> = {}
  return {
    add(step: string, what: string, { status, body }: Answer, cost: Cost): void {
      const name = `${step} ${status}`
      statuses[name] = (statuses[name] ?? 0) + 1
      const before = worst[step] ?? { longestMs: 0, moreMb: 0 }
      worst[step] = {
        longestMs: Math.max(before.longestMs, cost.longestMs),
        moreMb: Math.max(before.moreMb, cost.moreMb),
      }
      if (status >= 500) findings.push(`${what}: ${step} answers ${status} ${String(body['error_key'])}`)
      if (cost.longestMs > MOST_MS)
        findings.push(`${what}: a task of ${step} takes ${Math.round(cost.longestMs)} ms of the main thread`)
      if (cost.moreMb > MOST_MB) findings.push(`${what}: ${step} takes ${Math.round(cost.moreMb)} MB`)
    },
    result: (): HostileRun => ({ findings, statuses, worst }),
  }
}

async function playCase({ service, customer }: Stage, hostile: HostileCase, report: Report, index = 0): Promise<void> {
  const what = `case ${index} (${hostile.kind})`
  const author = flowAuthor(service)
  const act = async (step: string, call: () => Promise<Answer>): Promise<Answer> => {
    const { value, cost } = await measured(call)
    report.add(step, what, value, cost)
    return value
  }
  const { flowId, draftToken } = await author.create()
  const pdf = templatePdf({ contents: [textAt(40, 700, '(Amount {{amount}}) Tj')] })
  const uploaded = await author.call('POST', `/${flowId}/assets`, {
    file: dataUri('application/pdf', pdf),
    original_name: 'template.pdf',
  })
  const definition = hostile.definition(String(uploaded.body['asset_key']))
  const saved = await act('save', () => author.call('PUT', `/${flowId}`, { draft_token: draftToken, definition }))
  if (saved.status !== 200) return
  await act('validate', () => author.call('POST', `/${flowId}/validate`))
  const published = await act('publish', () =>
    author.call('POST', `/${flowId}/publish`, { draft_token: saved.body['draft_token'] }),
  )
  if (published.status !== 200) return
  const targets = { customer: { connection_id: customer.connectionId } }
  const path = `/api/company-data/flows/${flowId}/runs`
  const started = await act('start', () => service.data('POST', path, { body: { targets } }))
  if (started.status !== 201 || started.body['current_node'] !== 'end') return
  const run = `${RUNS}/${String(started.body['id'])}`
  const copies = [
    { for_user_id: service.company.companyId, value: await service.seal('x') },
    { for_user_id: customer.userId, value: await sealTo(customer.publicKey, 'x') },
  ]
  const answers = [{ slug: 'nick', values: copies }]
  const answered = await act('turn', () => service.data('POST', `${run}/answers`, { body: { answers, leaf: true } }))
  if (answered.status !== 200) return
  const { otk, seal } = await newKey()
  const body = { otk, values: await seal(JSON.stringify(hostile.values)) }
  await act('generate', () => service.data('POST', `${run}/generate`, { body }))
}

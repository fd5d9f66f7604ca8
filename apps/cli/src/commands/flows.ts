import type { FlowRun, RunTargets } from '@sealpost/sdk'
import type { Command, Context, Given } from '../command.ts'
import { drawMermaid } from '../flows/draw-mermaid.ts'
import { drawRun } from '../flows/draw-run.ts'
import { printList } from '../table.ts'
import { CliError, UsageError } from '../terminal.ts'
import { runDocumentCommands } from './run-documents.ts'

const run: Command = {
  words: ['flows', 'run'],
  summary: 'Start a run of a published flow',
  json: 'lines',
  about:
    'Values and files of customers that the flow shows are read, and sealed for every participant, with the key file.\n' +
    'Prints the id of the run; with --wait also each state until the run is over, and fails if it was cancelled.',
  positionals: ['FLOW_ID'],
  options: {
    target: { type: 'string', value: 'PARTY=CONNECTION_ID', isRepeatable: true, about: 'The customer of a party' },
    connection: { type: 'string', value: 'ID', about: 'One customer for all parties but the own company' },
    wait: { type: 'boolean', about: 'Wait for the end of the run' },
    'idempotency-key': { type: 'string', value: 'KEY', about: 'The same key again starts no second run' },
  },
  async run(context, given) {
    const { flows } = context.service()
    const key = given.text('idempotency-key')
    const options = key === null ? {} : { idempotencyKey: key }
    const started = await flows.start(given.positionals[0] ?? '', targetsOf(given), await context.key(), options)
    context.terminal.print(context.isJson ? JSON.stringify(started) : started.id)
    if (given.flag('wait')) await wait(context, started)
  },
}

const list: Command = {
  words: ['flows', 'list'],
  summary: 'List the runs of the service',
  json: 'lines',
  positionals: [],
  options: {
    status: { type: 'string', value: 'STATUS', about: 'awaiting_PARTY, completed, cancelled, …; several with commas' },
    ours: { type: 'boolean', about: 'Only runs that wait for the own company' },
  },
  async run(context, { text, flag }) {
    const status = text('status')
    const filter = { ...(status === null ? {} : { status }), ...(flag('ours') ? ({ awaiting: 'owner' } as const) : {}) }
    await printList(
      context,
      context.service().flows.list(filter),
      ['id', 'status', 'step', 'changed', 'flow'],
      (item) => [item.id, item.status, item.current_node, item.updated_at, `${item.flow_id} v${item.flow_version}`],
    )
  },
}

const show: Command = {
  words: ['flows', 'show'],
  summary: 'Draw the states and turns of a run',
  json: 'document',
  about: 'A step is [x] answered, [>] the current one, or [ ] open. Answers are sealed: --decrypt opens them.',
  positionals: ['RUN_ID'],
  options: {
    decrypt: { type: 'boolean', about: 'Open the answers with the key file' },
    mermaid: { type: 'boolean', about: 'Print a Mermaid diagram' },
  },
  async run(context, { positionals: [id = ''], flag }) {
    const { terminal, isJson } = context
    const { flows } = context.service()
    const found = await flows.get(id)
    if (flag('mermaid')) {
      if (flag('decrypt')) throw new UsageError('--mermaid draws without answers: leave --decrypt out')
      const lines = drawMermaid(found)
      if (isJson) return terminal.print(JSON.stringify({ mermaid: lines.join('\n') }))
      return lines.forEach((line) => terminal.print(line))
    }
    const opened = flag('decrypt') ? await flows.open(found, await context.key()) : null
    if (isJson) return terminal.print(JSON.stringify(opened === null ? found : { ...found, opened }))
    return drawRun(found, opened).forEach((line) => terminal.print(line))
  },
}

export const flowCommands: readonly Command[] = [run, list, show, ...runDocumentCommands]

function targetsOf({ text, texts }: Given): RunTargets {
  const connection = text('connection')
  const pairs = texts('target').map((pair) => {
    const [, party, id] = /^([a-z][a-z0-9_]*)=(\S+)$/.exec(pair) ?? []
    if (party === undefined || id === undefined) throw new UsageError(`--target is PARTY=CONNECTION_ID, not ${pair}`)
    return [party, { connection_id: id }] as const
  })
  if (connection === null && pairs.length === 0)
    throw new UsageError('name the customers: --target PARTY=CONNECTION_ID for each party, or --connection ID')
  return {
    ...(connection === null ? {} : { target: { connection_id: connection } }),
    ...(pairs.length === 0 ? {} : { targets: Object.fromEntries(pairs) }),
  }
}

async function wait(context: Context, { id }: FlowRun): Promise<void> {
  const { terminal, isJson } = context
  const never = new AbortController().signal
  const client = context.service({ wait: (ms, signal = never) => terminal.wait(ms, signal) })
  const ended = await client.flows.waitForEnd(id, {
    onProgress(step) {
      if (step.kind === 'no_answer') return terminal.log('no answer; waiting')
      const { status, current_node: node, updated_at: at } = step.run
      return terminal.print(isJson ? JSON.stringify(step.run) : [at, status, node].join('  '))
    },
  })
  if (ended.status === 'cancelled')
    throw new CliError(`the run was cancelled by ${ended.cancelled_by ?? 'the platform'}`)
}

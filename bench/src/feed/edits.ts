import { createInterface } from 'node:readline'
import { formatInstant, parseUuid, readSettings } from '@sealpost/kernel'
import { openDatabase } from '@sealpost/postgres'
import { systemClock, systemIds, systemRandom } from '@sealpost/process'
import { openRegion, regionSettings } from '@sealpost/region'
import { changeSlots, type SlotChanges } from '@sealpost/region/connections'
import { quietTelemetry } from '@sealpost/telemetry'
import { Client } from 'pg'
import { randomText, wrapperText } from '../connections/rows.ts'

/**
 * Applies edits of values as the region of a service does, each in a transaction with its event. A line
 * `ours COMPANY SERVICE CONNECTION FIELD REV COUNT` makes COUNT edits and records every statement with its values; `bare`
 * sends the same statements again over a plain connection. The answer is `done`.
 */
interface Statement {
  readonly text: string
  readonly name?: string
  readonly values?: unknown[]
}

let recording: Statement[] | null = null
let recorded: readonly Statement[] = []
recordStatements()

const settings = readSettings(regionSettings, process.env)
const platform = { clock: systemClock, ids: systemIds(), random: systemRandom, telemetry: quietTelemetry() }
const { modules } = await openRegion(settings, { ...platform, roles: { relay: false, inbox: false, responder: false } })
const database = openDatabase({ url: settings.DATABASE_URL.reveal(), applicationName: 'bench-edits', poolSize: 1 })
const serviceSide = { ...modules.connections.service, database }
const bare = new Client({ connectionString: settings.DATABASE_URL.reveal(), application_name: 'bench-bare-edits' })
await bare.connect()
await database.transaction(async () => {})

for await (const line of createInterface({ input: process.stdin })) {
  const [command, ...words] = line.split(' ')
  if (command === 'ours') await makeEdits(words)
  if (command === 'bare') await sendAgain()
  process.stdout.write(`done\n`)
}

async function sendAgain(): Promise<void> {
  for (const { text, name, values = [] } of recorded)
    await bare.query(name === undefined ? text : { name, text, values })
}

async function makeEdits([
  companyId,
  serviceId,
  connectionId,
  fieldId = '',
  rev,
  count,
]: readonly string[]): Promise<void> {
  const source = randomText()
  recording = []
  for (let edit = 0; edit < Number(count); edit += 1) {
    const at = formatInstant(systemClock.now())
    const answer = {
      request_field_id: fieldId,
      rev: Number(rev) + edit,
      live: true,
      is_private: true,
      value: wrapperText(source),
      file: null,
      attested: null,
      at,
    }
    const changes: SlotChanges = {
      companyId: idOf(companyId),
      serviceId: idOf(serviceId),
      connectionId: idOf(connectionId),
      region: 'us',
      changes: [{ act: 'set', cause: 'edit', answer }],
      attachment: null,
    }
    await database.transaction((tx) => changeSlots(serviceSide, tx, changes))
  }
  recorded = recording
  recording = null
}

function idOf<Id extends string>(text: string | undefined): Id {
  const id = parseUuid<Id>(text ?? '')
  if (id === null) throw new Error(`invalid id: ${text}`)
  return id
}

function recordStatements(): void {
  const prototype: { query: (...given: unknown[]) => unknown } = Client.prototype
  const { query } = prototype
  prototype.query = function record(this: unknown, ...given: unknown[]): unknown {
    const [first] = given
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the two forms that our own code uses
    recording?.push(typeof first === 'string' ? { text: first } : (first as Statement))
    return Reflect.apply(query, this, given)
  }
}

import { callsWith, harborline, type Installation, logIn, type ScenarioContext, withClient } from '@sealpost/testkit'
import { meterBackends } from '../engine-cpu.ts'
import { openLineProgram } from '../line-program.ts'
import { perCall } from '../region-cpu.ts'
import type { FeedSite } from './site.ts'

/** Microseconds per edit of a value with its event: by the product, and as bare statements; a pair per sample. */
export interface AppendCosts {
  readonly ours: readonly number[]
  readonly bare: readonly number[]
}

interface Slot {
  readonly service_id: string
  readonly connection_id: string
  readonly request_field_id: string
}

const WEBHOOKS = 3

export async function measureAppends(
  context: ScenarioContext,
  { installation, few }: FeedSite,
  { samples, edits }: { readonly samples: number; readonly edits: number },
): Promise<AppendCosts> {
  const slot = await pickSlot(few.databaseUrl)
  await openWebhooks(installation, slot.service_id)
  const child = await openEdits(context, installation)
  const [ours, bare]: [number[], number[]] = [[], []]
  for (let sample = -1; sample < samples; sample += 1) {
    const rev = 10 + (sample + 1) * edits
    const state = await readState(few.databaseUrl, slot)
    const words = [few.companyId, slot.service_id, slot.connection_id, slot.request_field_id, rev, edits]
    const oursCost = await child.measure('bench-edits', edits, `ours ${words.join(' ')}`)
    await restore(few.databaseUrl, slot, state)
    const bareCost = await child.measure('bench-bare-edits', edits, 'bare')
    const after = await readState(few.databaseUrl, slot)
    if (after !== state + edits) throw new Error(`${edits} edits appended ${after - state} events`)
    if (sample < 0) continue
    ours.push(oursCost)
    bare.push(bareCost)
    context.progress(
      `edits, sample ${sample + 1} of ${samples}: ours ${oursCost.toFixed(0)}, bare ${bareCost.toFixed(0)} µs`,
    )
  }
  return { ours, bare }
}

function pickSlot(databaseUrl: string): Promise<Slot> {
  return withClient(databaseUrl, async (client) => {
    const sql =
      'select service_id, connection_id, request_field_id from connections_service.slot order by 1, 2, 3 limit 1'
    const [slot] = (await client.query<Slot>(sql)).rows
    if (slot === undefined) throw new Error('no value to edit')
    return slot
  })
}

/** Enabled and paused: they subscribe to every event, and none is sent during the measurement. */
async function openWebhooks(installation: Installation, serviceId: string): Promise<void> {
  const { email, login } = harborline
  const { apiUrl, token } = await logIn(installation, { email, authVerifier: login.authVerifier })
  const portal = callsWith(apiUrl, token)
  for (let number = 1; number <= WEBHOOKS; number += 1) {
    const path = `/api/services/${serviceId}/webhooks`
    const body = {
      url: `https://hooks.example/${number}`,
      events: [],
      format: 'json',
      auth_type: 'hmac',
      enabled: true,
    }
    const made = await portal('POST', path, { body })
    if (made.status !== 201) throw new Error(`no webhook: ${made.text}`)
    const paused = await portal('POST', `${path}/${String(made.body['id'])}/pause`)
    if (paused.status >= 300) throw new Error(`not paused: ${paused.text}`)
  }
}

/** The last number of the feed. */
function readState(databaseUrl: string, { service_id }: Slot): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ no: string }>('select last_no as no from feed.head where owner_id = $1', [
      service_id,
    ])
    return Number(rows[0]?.no)
  })
}

/** Restores the state before the edits, so that the same statements can be sent again. */
async function restore(databaseUrl: string, { service_id, connection_id }: Slot, lastNo: number): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    await client.query('update feed.head set last_no = $2 where owner_id = $1', [service_id, lastNo])
    await client.query('delete from feed.event where owner_id = $1 and no > $2', [service_id, lastNo])
    await client.query('update connections_service.slot set rev = 1 where service_id = $1 and connection_id = $2', [
      service_id,
      connection_id,
    ])
    await client.query('vacuum feed.event, feed.head, connections_service.slot')
  })
}

interface Edits {
  readonly measure: (applicationName: string, calls: number, line: string) => Promise<number>
}

async function openEdits(context: ScenarioContext, { environment }: Installation): Promise<Edits> {
  const { pid, send } = openLineProgram(context, new URL('edits.ts', import.meta.url), environment.us)
  await send('begin')
  return {
    async measure(applicationName, calls, line) {
      const backends = await meterBackends(environment.us['DATABASE_URL'] ?? '', applicationName)
      try {
        return await perCall({ pid, backends, idlePerMs: 0 }, calls, () => send(line))
      } finally {
        await backends.close()
      }
    },
  }
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AppProcess, forge, payloadOf, type ScenarioContext, withClient } from '@sealpost/testkit'
import { COPY_ID } from '../copy-rows.ts'
import { openLineProgram } from '../line-program.ts'
import type { ApprovalSite } from './site.ts'

/** Opens streams of as many persons at one process, from another process, so that reading them delays no measurement. */
export async function openCrowd(
  context: ScenarioContext,
  site: ApprovalSite,
  { url }: AppProcess,
  size: number,
): Promise<void> {
  const place = { ...site.installation, clock: { now: () => Date.now() } }
  const folder = await mkdtemp(join(tmpdir(), 'sealpost-crowd-'))
  context.onEnd(() => rm(folder, { recursive: true, force: true }))
  const { iat: _iat, exp: _exp, ...claims } = payloadOf(site.approvers[0]?.token ?? '')
  const tokens: string[] = []
  for (const sub of await addPersons(site, size)) tokens.push(await forge(place, { ...claims, sub, sid: `of ${sub}` }))
  const file = join(folder, 'tokens')
  await writeFile(file, tokens.join('\n'), { mode: 0o600 })
  const { send } = openLineProgram(context, new URL('crowd-program.ts', import.meta.url), {})
  const answer = await send(`${url}/api/customer/stream ${file}`)
  if (answer !== `open ${size}`) throw new Error(`the crowd answered ${answer}`)
  context.progress(`${size} streams of other persons are open at ${url}`)
}

/** Copies of a person who exists, each with an address of its own. */
async function addPersons({ databaseUrl, approvers }: ApprovalSite, size: number): Promise<readonly string[]> {
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query<{ id: string }>(
      `insert into account.account
      select (jsonb_populate_record(known, jsonb_build_object('id', ${COPY_ID}, 'email', 'crowd-' || n,
        'email_hash', 'crowd-' || n, 'share_code', 'C' || n))).*
      from account.account known, generate_series(1, $2::int) n where known.id = $1 returning id`,
      [approvers[0]?.userId, size],
    ),
  )
  return rows.map(({ id }) => id)
}

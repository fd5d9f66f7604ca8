import type { Instant, UserId } from '@sealpost/kernel'
import { type Read, runStatement } from '@sealpost/postgres'
import type { Slice } from '../../../../platform/page.ts'
import type { UserType } from '../../store/sessions.ts'

export interface Session {
  readonly id: string
  readonly userType: UserType
  readonly deviceName: string | null
  readonly address: string | null
  readonly createdAt: Instant
  readonly lastUsedAt: Instant
}

/** Those that can be refreshed now. The name is that of the device with a key, else of the trusted browser. */
export async function listLiveSessions(
  read: Read,
  userId: UserId,
  now: Instant,
  { after, offset, limit }: Slice,
): Promise<readonly Session[]> {
  return runStatement<Session>(
    read,
    `select f.id, f.user_type as "userType", coalesce((
        select d.name from login.device d
        where d.user_id = $1 and (d.id = f.device_id or d.id = any (f.signing_device_ids))
        order by d.kind = 'browser', d.id desc limit 1), nullif(f.user_agent, '')) as "deviceName",
      f.address, (extract(epoch from f.created_at) * 1000)::float8 as "createdAt",
      (extract(epoch from coalesce(f.last_used_at, f.created_at)) * 1000)::float8 as "lastUsedAt"
    from login.session_family f
    where f.user_id = $1 and f.revoked_at is null and f.expires_at > to_timestamp($2 / 1000.0)
      and f.ends_at > to_timestamp($2 / 1000.0) and ($3::uuid is null or f.id > $3)
    order by f.id offset $4 limit $5`,
    [userId, now, after, offset, limit],
  )
}

import { PERSON_APP, PORTAL_WEB } from '@sealpost/access-token'
import { formatInstant } from '@sealpost/kernel'
import type { Device } from './store/devices.ts'
import type { Session } from './store/sessions.ts'

export function deviceToWire({ id, kind, name, createdAt, seenAt, expiresAt }: Device) {
  return {
    id,
    kind,
    name,
    created_at: formatInstant(createdAt),
    last_seen_at: formatInstant(seenAt),
    expires_at: expiresAt === null ? null : formatInstant(expiresAt),
  }
}

export function sessionToWire(session: Session, currentId: string) {
  return {
    id: session.id,
    app: APPS[session.userType],
    device_name: session.deviceName,
    address: session.address,
    created_at: formatInstant(session.createdAt),
    last_used_at: formatInstant(session.lastUsedAt),
    current: session.id === currentId,
  }
}

const APPS = { person: PERSON_APP, company: PORTAL_WEB } as const

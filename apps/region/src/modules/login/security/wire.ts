import { formatInstant } from '@sealpost/kernel'
import type { Device } from './store/devices.ts'

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

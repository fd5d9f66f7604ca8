import type { CardView } from '../../worker/commands/approvals.ts'

/**
 * When a card ends by the clock of this device. That clock may be wrong: a card that would have ended before it came, or
 * would last longer than it can, is given its whole time from now. The platform decides either way.
 */
export function endOf({ createdAt, expiresAt }: Pick<CardView, 'createdAt' | 'expiresAt'>, seenMs: number): number {
  const lifetime = Date.parse(expiresAt) - Date.parse(createdAt)
  const left = Date.parse(expiresAt) - seenMs
  return left > 0 && left <= lifetime ? seenMs + left : seenMs + lifetime
}

/** `1:05`; the last second is `0:01`. */
export function showLeft(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

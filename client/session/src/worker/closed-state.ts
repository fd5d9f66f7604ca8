import type { DeviceRecord } from './device-store.ts'

/** What the app shows before anything is opened. */
export type ClosedState =
  | { readonly state: 'absent' }
  | {
      readonly state: 'locked'
      readonly email: string
      readonly displayName: string
      readonly unlock:
        | { readonly kind: 'passkey'; readonly credentialId: string; readonly rpId: string }
        | { readonly kind: 'passcode' }
        | { readonly kind: 'password' }
    }

export function closedState(record: DeviceRecord | null): ClosedState {
  if (record === null) return { state: 'absent' }
  return { state: 'locked', email: record.email, displayName: record.displayName, unlock: unlockOf(record) }
}

function unlockOf({ unlock }: DeviceRecord) {
  if (unlock === null) return { kind: 'password' } as const
  if (unlock.kind === 'passcode') return { kind: 'passcode' } as const
  const { kind, credentialId, rpId } = unlock
  return { kind, credentialId, rpId }
}
